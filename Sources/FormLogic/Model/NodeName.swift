import DocumentValues

/// Which names nodes may have: those of XML without a colon.
package enum NodeName {
    package static func begins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0x5F, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
            0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
            0x10000...0xEFFFF:
            true
        default: false
        }
    }

    package static func continues(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: begins(scalar)
        }
    }

    package static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, begins(first) else { return false }
        return text.unicodeScalars.allSatisfy { continues($0) }
    }
}
