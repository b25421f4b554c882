import DocumentStore
import DocumentValues
import FieldModels

/// The values that were last typed on this laptop for the fields of a record.
public struct TypedValues: Sendable {
    /// `null` for a cleared field.
    private var values: [FieldPath: JSONValue] = [:]

    public init() {}

    /// - Parameter changes: the new values of each change, the oldest first.
    init(_ changes: [[FieldPath: JSONValue]]) {
        for change in changes { values.merge(change) { $1 } }
    }

    /// The first of the values that equals the one typed last for the field.
    public func last(among values: [ContestedValue], at path: FieldPath) -> ContestedValue? {
        guard let last = self.values[path] else { return nil }
        return values.first { ValueOrder.isSame($0.value, and: path.contestable(last)) }
    }
}

extension History {
    /// The values that were last typed on this laptop for each field of a record: as far back as the journal goes, and
    /// without the values with which the record was made.
    public func typedHere(_ kind: RecordKind, id: String) throws -> TypedValues {
        TypedValues(
            try journal.entries().flatMap(\.records).filter { $0.kind == kind && $0.id.isExactly(id) }.map(\.typed))
    }
}
