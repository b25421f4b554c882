import DocumentStore
import DocumentValues
import FieldModels

/// Knows which records of a folder have something to decide. It looks them up once, and then reads only the changed
/// records.
public struct ConflictWatch: Sendable {
    private var through: [RecordKind: UInt64] = [:]
    private var open: Set<RecordReference> = []

    public init() {}

    /// Everything that is to be decided now, in an order that does not change by itself.
    public mutating func conflicts(in store: RecordStore) throws -> [RecordConflict] {
        try look(at: store)
        var conflicts: [RecordConflict] = []
        for record in open {
            // Records that were purged since are in no list of changes.
            if let conflict = try RecordConflict(record.kind, id: record.id, in: store) {
                conflicts.append(conflict)
            } else {
                open.remove(record)
            }
        }
        return conflicts.sorted { left, right in
            left.kind == right.kind
                ? left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
                : left.kind.collection.name.utf8.lexicographicallyPrecedes(right.kind.collection.name.utf8)
        }
    }

    private mutating func look(at store: RecordStore) throws {
        for kind in RecordKind.allCases {
            let collection = store.collection(of: kind)
            if let start = through[kind] {
                through[kind] = try collection.forEachBody(changedAfter: start) { id, json in
                    let record = RecordReference(kind, id: id)
                    if let json, json.hasPart(Self.marker) { open.insert(record) } else { open.remove(record) }
                }
            } else {
                // A record that changes between the two looks is read again.
                through[kind] = try collection.lastSequence()
                open.formUnion(try RecordCondition.undecided.ids(in: collection).map { RecordReference(kind, id: $0) })
            }
        }
    }

    private static let marker = Array("\"\(ContestedValues.member)\"".utf8)
}
