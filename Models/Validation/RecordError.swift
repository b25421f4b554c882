import DocumentValues

/// One thing that is wrong with one field, as the person who typed it reads it.
public struct FieldProblem: Sendable, Hashable, CustomStringConvertible {
    /// The field's name, such as `score` or `address.postalCode`.
    @Exact public private(set) var field: String
    /// The required and the present value: `must be a whole number from 0 to 100, but is 120`.
    @Exact public private(set) var message: String

    public init(_ field: String, message: String) {
        self.field = field
        self.message = message
    }

    public var description: String { "\(field) \(message)" }
}

/// A record that cannot be read or may not be saved, with every field at fault.
public struct RecordError: Error, Sendable, Hashable, CustomStringConvertible {
    public let kind: RecordKind
    @Exact public private(set) var id: String
    /// At least one.
    public let problems: [FieldProblem]
    /// Whether another type of record reads the document: then nothing is wrong with it.
    public let isOfOtherType: Bool

    public init(kind: RecordKind, id: String, problems: [FieldProblem], isOfOtherType: Bool = false) {
        precondition(!problems.isEmpty, "an error about a record names what is wrong")
        self.kind = kind
        self.id = id
        self.problems = problems
        self.isOfOtherType = isOfOtherType
    }

    public var description: String {
        "\(kind.rawValue) \(id): " + problems.map(\.description).joined(separator: "; ")
    }
}
