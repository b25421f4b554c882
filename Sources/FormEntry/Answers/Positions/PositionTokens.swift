import DocumentValues

/// The numbers of a typed position, with the signs and letters between them.
struct PositionTokens: Sendable {
    enum Token: Sendable, Hashable {
        case number(Double, isWhole: Bool)
        case degrees, minutes, seconds
        /// `N`, `S`, `E`, `W` as ASCII.
        case letter(UInt8)
    }

    private(set) var tokens: [Token] = []

    /// - Throws: `AnswerRefusal` for a text with anything else, and where commas leave several readings.
    init(_ text: String) throws(AnswerRefusal) {
        let scalars = Array(PlainDigits.of(text).unicodeScalars)
        let isDecimal = try Self.hasDecimalCommas(scalars, text: text)
        var index = 0
        while index < scalars.count {
            if Self.isDigit(scalars[index]) || Self.isSigned(scalars, at: index) {
                tokens.append(try Self.number(scalars, from: &index, commas: isDecimal, text: text))
            } else {
                let scalar = scalars[index]
                index += 1
                if scalar == "'", index < scalars.count, scalars[index] == "'" {
                    index += 1
                    tokens.append(.seconds)
                } else if let token = try Self.mark(scalar, text: text) {
                    tokens.append(token)
                }
            }
            guard tokens.count <= EntryLimits.positionParts else { throw .noPosition(text) }
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// A sign, or a point, with a digit behind it.
    private static func isSigned(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard "-+.".unicodeScalars.contains(scalars[index]), index + 1 < scalars.count else { return false }
        return isDigit(scalars[index + 1]) || (scalars[index + 1] == "." && scalars[index] != ".")
    }

    private static func mark(_ scalar: Unicode.Scalar, text: String) throws(AnswerRefusal) -> Token? {
        switch scalar {
        case "°", "º", "˚": return .degrees
        case "'", "′": return .minutes
        case "\"", "″", "“", "”": return .seconds
        case "N", "n": return .letter(UInt8(ascii: "N"))
        case "S", "s": return .letter(UInt8(ascii: "S"))
        case "E", "e": return .letter(UInt8(ascii: "E"))
        case "W", "w": return .letter(UInt8(ascii: "W"))
        case "O", "o": throw .letterO
        case ",", ";", "m": return nil
        default:
            guard scalar.properties.isWhitespace else { throw .noPosition(text) }
            return nil
        }
    }

    private static func number(
        _ scalars: [Unicode.Scalar], from index: inout Int, commas: Bool, text: String
    ) throws(AnswerRefusal) -> Token {
        var digits = ""
        var isWhole = true
        if scalars[index] == "-" || scalars[index] == "+" {
            if scalars[index] == "-" { digits = "-" }
            index += 1
        }
        while index < scalars.count {
            let scalar = scalars[index]
            if isDigit(scalar) {
                digits.unicodeScalars.append(scalar)
            } else if isWhole, scalar == "." || (scalar == "," && commas && isFollowed(scalars, at: index)) {
                isWhole = false
                digits += "."
            } else {
                break
            }
            index += 1
        }
        if digits.hasExactSuffix(".") { digits += "0" }
        guard digits.utf8.count <= EntryLimits.positionDigits, let value = Double(digits) else {
            throw .noPosition(text)
        }
        return .number(value, isWhole: isWhole)
    }

    private static func isFollowed(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        index + 1 < scalars.count && isDigit(scalars[index + 1])
    }

    /// Whether a comma between two digits is before a fraction: so it is where no point is, and spaces or letters separate
    /// the numbers.
    private static func hasDecimalCommas(_ scalars: [Unicode.Scalar], text: String) throws(AnswerRefusal) -> Bool {
        var (commas, hasPoint, hasOther) = (0, false, false)
        for index in scalars.indices {
            switch scalars[index] {
            case "," where index > 0 && isDigit(scalars[index - 1]) && isFollowed(scalars, at: index): commas += 1
            case ".": hasPoint = true
            case "0"..."9", "-", "+": break
            default: hasOther = true
            }
        }
        if hasPoint || commas == 0 { return false }
        guard hasOther || commas == 1 else { throw .unclearCommas(text) }
        return hasOther
    }
}
