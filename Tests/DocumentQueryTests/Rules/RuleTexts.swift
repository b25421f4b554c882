/// The functions of texts. MISSING does not come here.
enum RuleTexts {
    static func call(_ name: String, arguments: [RuleValue]) throws -> RuleValue? {
        switch name {
        case "LENGTH": ofText(arguments[0]) { .integer(Int64($0.unicodeScalars.count)) }
        case "LOWER": ofText(arguments[0]) { .text(lowered($0)) }
        case "UPPER": ofText(arguments[0]) { .text($0.unicodeScalars.map(\.properties.uppercaseMapping).joined()) }
        case "TRIM": trimmed(arguments[0], front: true, back: true)
        case "LTRIM": trimmed(arguments[0], front: true, back: false)
        case "RTRIM": trimmed(arguments[0], front: false, back: true)
        case "CONTAINS": contains(arguments[0], part: arguments[1])
        case "CONCAT": try RuleOperators.concatenate(arguments)
        default: nil
        }
    }

    private static func ofText(_ value: RuleValue, result: (String) -> RuleValue) -> RuleValue {
        value.text.map(result) ?? .null
    }

    /// Letter by letter; a sigma at the end of a word has a form of its own.
    private static func lowered(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let isLetter = scalars.map(\.properties.isAlphabetic)
        return scalars.indices.map { index in
            let isBehindLetter = index > 0 && isLetter[index - 1]
            let isBeforeLetter = index + 1 < scalars.count && isLetter[index + 1]
            let isLastSigma = scalars[index] == "\u{3A3}" && isBehindLetter && !isBeforeLetter
            return isLastSigma ? "\u{3C2}" : scalars[index].properties.lowercaseMapping
        }
        .joined()
    }

    /// What is no text stays as it is.
    private static func trimmed(_ value: RuleValue, front: Bool, back: Bool) -> RuleValue {
        guard let text = value.text else { return value }
        var scalars = Array(text.unicodeScalars)
        while front, let first = scalars.first, isSpace(first) { scalars.removeFirst() }
        while back, let last = scalars.last, isSpace(last) { scalars.removeLast() }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return .text(String(result))
    }

    /// Those at which a line may be broken: not the no-break spaces.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        let isNoBreak = scalar == "\u{A0}" || scalar == "\u{2007}" || scalar == "\u{202F}"
        return scalar.properties.isWhitespace && !isNoBreak
    }

    /// By bytes. Null gives null, nothing but texts is found or has anything in it, and the empty text is never found.
    private static func contains(_ value: RuleValue, part: RuleValue) -> RuleValue {
        if value.isNull || part.isNull { return .null }
        guard let text = value.text, let part = part.text, !part.isEmpty else { return .boolean(false) }
        let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
        return .boolean(bytes.indices.contains { bytes[$0...].starts(with: wanted) })
    }
}
