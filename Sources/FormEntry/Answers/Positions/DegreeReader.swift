import FormLogic

/// Reads latitude and longitude: decimal, or in degrees, minutes and seconds, with letters or without.
struct DegreeReader {
    private typealias Token = PositionTokens.Token

    private struct Angle {
        let degrees: Double
        /// `N`, `S`, `E` or `W`; 0 for none.
        var letter: UInt8

        var isLongitude: Bool { letter == UInt8(ascii: "E") || letter == UInt8(ascii: "W") }
        var isLatitude: Bool { letter == UInt8(ascii: "N") || letter == UInt8(ascii: "S") }
    }

    private let text: String
    private var rest: ArraySlice<PositionTokens.Token>

    private init(_ tokens: PositionTokens, text: String) {
        self.text = text
        rest = tokens.tokens[...]
    }

    /// - Throws: `AnswerRefusal` for another text.
    static func read(_ text: String) throws(AnswerRefusal) -> TypedPosition {
        var reader = DegreeReader(try PositionTokens(text), text: text)
        return try reader.position()
    }

    private mutating func position() throws(AnswerRefusal) -> TypedPosition {
        let isMarked = rest.contains { token in
            if case .number = token { false } else { true }
        }
        let first = try angle(isMarked: isMarked)
        let second = try angle(isMarked: isMarked)
        let altitude = try number() ?? 0
        let accuracy = try number() ?? 0
        guard rest.isEmpty else { throw .noPosition(text) }
        guard (first.letter == 0) == (second.letter == 0) else { throw .letterMissing }
        if first.letter != 0 {
            guard first.isLatitude != second.isLatitude else { throw .sameLetters }
        }
        let isSwapped = first.letter == 0 ? abs(first.degrees) > 90 && abs(second.degrees) <= 90 : first.isLongitude
        let (latitude, longitude) = isSwapped ? (second, first) : (first, second)
        return try TypedPosition(
            latitude: latitude.degrees, longitude: longitude.degrees, altitude: altitude, accuracy: accuracy,
            isSwapped: isSwapped)
    }

    private mutating func number() throws(AnswerRefusal) -> Double? {
        guard case .number(let value, _)? = rest.first else { return nil }
        rest = rest.dropFirst()
        return value
    }

    /// - Parameter isMarked: whether there are signs or letters, so that several numbers can be one angle.
    private mutating func angle(isMarked: Bool) throws(AnswerRefusal) -> Angle {
        var letter = takeLetter()
        guard case .number(var degrees, var isWhole)? = rest.first else { throw .noPosition(text) }
        rest = rest.dropFirst()
        let isNegative = degrees.sign == .minus
        degrees = abs(degrees)
        take(.degrees)
        var share = 60.0
        while isMarked, isWhole, share <= 3600, let part = nextPart(letter: letter, share: share) {
            guard part.value >= 0, part.value < 60 else { throw .partOutside }
            degrees += part.value / share
            isWhole = part.isWhole
            share *= 60
        }
        // A letter behind the numbers, where the angle before it has none either.
        if letter == 0 { letter = takeLetter() }
        guard letter == 0 || !isNegative else { throw .signAndLetter }
        let isBelow = isNegative || letter == UInt8(ascii: "S") || letter == UInt8(ascii: "W")
        return Angle(degrees: isBelow ? -degrees : degrees, letter: letter)
    }

    private mutating func takeLetter() -> UInt8 {
        guard case .letter(let letter)? = rest.first else { return 0 }
        rest = rest.dropFirst()
        return letter
    }

    @discardableResult private mutating func take(_ token: PositionTokens.Token) -> Bool {
        guard rest.first == token else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The minutes or seconds that follow: a number with their sign, or one without a sign that is not the degrees of the
    /// next angle.
    private mutating func nextPart(letter: UInt8, share: Double) -> (value: Double, isWhole: Bool)? {
        guard case .number(let value, let isWhole)? = rest.first else { return nil }
        let behind = rest.dropFirst().first
        let sign: PositionTokens.Token = share == 60 ? .minutes : .seconds
        if behind == sign {
            rest = rest.dropFirst(2)
            return (value, isWhole)
        }
        guard behind != .degrees, behind != .minutes, behind != .seconds,
            rest.contains(where: Self.isLetter) || letter != 0,
            value >= 0, value < 60
        else { return nil }
        rest = rest.dropFirst()
        return (value, isWhole)
    }

    private static func isLetter(_ token: PositionTokens.Token) -> Bool {
        if case .letter = token { true } else { false }
    }
}
