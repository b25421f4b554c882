import DocumentStore
import DocumentValues
import FieldModels

/// What was typed on this laptop last for the fields of a record.
public struct TypedValues: Sendable {
    /// `null` for what was cleared.
    private var values: [FieldPath: JSONValue] = [:]

    public init() {}

    /// - Parameter changes: what each change gave to fields, the oldest first.
    init(_ changes: [[FieldPath: JSONValue]]) {
        for change in changes { values.merge(change) { $1 } }
    }

    /// The first of the values that is what was typed last for the field.
    public func last(among values: [ContestedValue], at path: FieldPath) -> ContestedValue? {
        guard let last = self.values[path] else { return nil }
        return values.first { ValueOrder.isSame($0.value, and: path.contestable(last)) }
    }
}

extension History {
    /// What was typed on this laptop last for each field of a record: as far back as the journal goes, and without what a
    /// record was made with.
    public func typedHere(_ kind: RecordKind, id: String) throws -> TypedValues {
        TypedValues(
            try journal.entries().flatMap(\.records).filter { $0.kind == kind && $0.id.isExactly(id) }.map(\.typed))
    }
}
