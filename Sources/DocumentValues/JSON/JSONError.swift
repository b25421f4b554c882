/// Why bytes are not the expected JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: Sendable, Hashable {
        case unexpectedEnd
        case unexpectedCharacter
        case badNumber
        case badString
        case notUTF8
        case halfCharacter
        case tooDeep
        case trailingText
        case notAnObject
    }

    public let code: Code
    /// The byte at which reading stopped, counted from 0.
    public let offset: Int

    public init(_ code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }

    public var description: String {
        let what =
            switch code {
            case .unexpectedEnd: "the JSON ends too early"
            case .unexpectedCharacter: "unexpected character"
            case .badNumber: "not a number that JSON allows"
            case .badString: "a string with a bad escape or a bare control character"
            case .notUTF8: "text that is not UTF-8"
            case .halfCharacter: "an escape that is half of a character"
            case .tooDeep: "nested more than \(JSONLimits.depth) levels deep"
            case .trailingText: "text after the value"
            case .notAnObject: "not a JSON object"
            }
        return "\(what) at byte \(offset)"
    }
}
