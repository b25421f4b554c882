import DocumentValues
import FieldModels

/// Values of a record that a person on this laptop has seen and replaced.
struct OverwrittenValues {
    private struct Change {
        let before: JSONObject
        let fields: Set<FieldPath>
    }

    private var changes: [Change] = []

    init() {}

    /// - Parameter records: the entries of the journal for the record.
    init(_ records: [JournalRecord]) {
        changes = records.compactMap { record in
            record.before.map { Change(before: $0.body, fields: Set(record.typed.keys)) }
        }
    }

    func contains(_ value: JSONValue, at path: FieldPath) -> Bool {
        let field = FieldTree([path: ()])
        return changes.contains { change in
            change.fields.contains(path) && ValueOrder.isSame(field.read(change.before)[path] ?? .null, and: value)
        }
    }
}

extension ChangeJournal {
    /// As far back as the journal goes.
    func overwrittenValues(of kind: RecordKind, _ id: String) throws -> OverwrittenValues {
        OverwrittenValues(try entries().flatMap(\.records).filter { $0.kind == kind && $0.id.isExactly(id) })
    }
}
