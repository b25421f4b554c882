/// A pattern of LIKE: `%` is any text, `_` one code point; a backslash makes the next character plain.
struct LikePattern {
    fileprivate enum Part {
        case any, one
        case byte(UInt8)
    }

    /// `nil` for a pattern that ends with a single backslash, which no text fits.
    private let parts: [Part]?

    /// - Throws: `WorkEnded`.
    init(_ pattern: String, meter: WorkMeter) throws {
        var parts: [Part] = []
        var isEscaped = false
        var steps = MeteredSteps(meter)
        for byte in pattern.utf8 {
            try steps.count()
            if isEscaped {
                parts.append(.byte(byte))
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                parts.append(byte == UInt8(ascii: "%") ? .any : byte == UInt8(ascii: "_") ? .one : .byte(byte))
            }
        }
        try steps.handOn()
        self.parts = isEscaped ? nil : parts
    }

    /// - Throws: `FunctionError` if the pattern takes too long for the text; `WorkEnded`.
    func fits(_ text: String, meter: WorkMeter) throws -> Bool {
        guard let parts else { return false }
        var text = text
        var steps = MeteredSteps(meter)
        let fits = try text.withUTF8 { try Self.fits($0, parts: parts, steps: &steps) }
        try steps.handOn()
        return fits
    }

    /// It is enough to return to the last `%`.
    private static func fits(
        _ text: UnsafeBufferPointer<UInt8>, parts: [Part], steps: inout MeteredSteps
    ) throws -> Bool {
        var (position, part) = (0, 0)
        var stepsBack = QueryLimits.patternSteps + text.count * QueryLimits.likeStepsBack
        var mark: (position: Int, part: Int)?
        while position < text.count {
            try steps.count()
            if part < parts.count, case .any = parts[part] {
                mark = (position, part)
                part += 1
            } else if part < parts.count, let length = parts[part].length(in: text, at: position) {
                position += length
                part += 1
            } else if let last = mark {
                stepsBack -= position - last.position
                guard stepsBack >= 0 else { throw FunctionError("The pattern of LIKE takes too long") }
                position = last.position + scalarLength(text, at: last.position)
                mark = (position, last.part)
                part = last.part + 1
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { if case .any = $0 { true } else { false } }
    }

    /// A scalar's bytes, by the first of them.
    fileprivate static func scalarLength(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        let length =
            switch text[position] {
            case ..<0xC0: 1
            case ..<0xE0: 2
            case ..<0xF0: 3
            default: 4
            }
        return min(length, text.count - position)
    }
}

extension LikePattern.Part {
    /// How many bytes of the text it fits there; `nil` if it does not.
    fileprivate func length(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        switch self {
        case .any: nil
        case .one: LikePattern.scalarLength(text, at: position)
        case .byte(let byte): text[position] == byte ? 1 : nil
        }
    }
}
