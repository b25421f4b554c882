import DocumentValues

/// A long text in portions, so that a change of it can be ended between them.
struct TextPortions {
    /// Where a portion may begin.
    enum Boundary {
        case scalar
        /// At a scalar that is not composed with those in front of it, so that Unicode's forms of the portions are
        /// those of the text. There are more of them than are recognized; a text without any is one portion.
        case base
    }

    private let text: String
    private let boundary: Boundary
    private var start: String.Index

    init(_ text: String, at boundary: Boundary) {
        self.text = text
        self.boundary = boundary
        start = text.startIndex
    }

    /// The next one; `nil` at the end.
    mutating func next() -> Substring? {
        guard start < text.endIndex else { return nil }
        let scalars = text.unicodeScalars
        var end = text.utf8.index(start, offsetBy: QueryLimits.textPortion, limitedBy: text.endIndex) ?? text.endIndex
        while end < text.endIndex, !isBoundary(text.utf8[end]) { text.utf8.formIndex(after: &end) }
        if case .base = boundary {
            while end < text.endIndex, !Self.isBase(scalars[end]) { scalars.formIndex(after: &end) }
        }
        defer { start = end }
        return text[start..<end]
    }

    private func isBoundary(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    /// Of the scripts of Europe, and of Chinese and Korean.
    private static func isBase(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300, 0x370..<0x483, 0x48A..<0x590, 0x4E00..<0xA000, 0xAC00..<0xD7A4: true
        default: false
        }
    }
}

extension String {
    /// The text with each of its portions changed.
    ///
    /// - Parameter units: of work for each byte.
    /// - Throws: `WorkEnded`.
    package func changedByScalars(
        units: Int, meter: WorkMeter, _ change: (String) -> String
    ) throws -> String {
        try changed(at: .scalar, units: units, meter: meter, change)
    }

    /// The same for a change that depends on what a scalar is composed with.
    ///
    /// - Throws: `WorkEnded`.
    package func changedByBases(units: Int, meter: WorkMeter, _ change: (String) -> String) throws -> String {
        try changed(at: .base, units: units, meter: meter, change)
    }

    private func changed(
        at boundary: TextPortions.Boundary, units: Int, meter: WorkMeter, _ change: (String) -> String
    ) throws -> String {
        guard utf8.count > QueryLimits.textPortion else {
            try meter.count(utf8.count * units)
            return change(self)
        }
        var portions = TextPortions(self, at: boundary)
        var result = ""
        while let portion = portions.next() {
            try meter.count(portion.utf8.count * units)
            result += change(String(portion))
        }
        return result
    }
}
