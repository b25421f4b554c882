/// Finds the words of a text: runs of letters and digits of any script, with the marks that are written over and under
/// them.
package struct WordScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Where the next word is; `nil` at the end.
    package mutating func next() -> Range<Int>? {
        var start: Int?
        while position < bytes.count {
            let (isWord, length) = part(at: position, continues: start != nil)
            if isWord {
                start = start ?? position
            } else if let start {
                return start..<position
            }
            position += length
        }
        return start.map { $0..<position }
    }

    /// Whether a character is one of a word, and its length in bytes.
    private func part(at position: Int, continues: Bool) -> (isWord: Bool, length: Int) {
        let byte = bytes[position]
        guard byte >= 0x80 else {
            let letter = byte | 0x20
            return (letter >= 0x61 && letter <= 0x7A || byte >= 0x30 && byte <= 0x39, 1)
        }
        guard let (scalar, length) = Self.scalar(bytes, at: position) else { return (false, 1) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return (true, length)
        case .nonspacingMark, .spacingMark, .enclosingMark: return (continues, length)
        default: return (false, length)
        }
    }

    private static func scalar(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> (Unicode.Scalar, length: Int)? {
        var decoder = UTF8()
        var rest = bytes[position...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return (scalar, UTF8.width(scalar))
    }
}
