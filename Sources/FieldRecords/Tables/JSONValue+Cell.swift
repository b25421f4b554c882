import DocumentValues

extension JSONValue {
    /// The value as a person reads it: text without quotation marks.
    public var cell: String? {
        switch self {
        case .null: nil
        case .bool(let bool): bool ? "yes" : "no"
        case .string(let text): text
        case .number, .array, .object: description
        }
    }
}
