import DocumentStore
import DocumentValues
import FieldModels

/// Documents that only a reader of records understands.
struct OddRecords<Record: FieldRecord>: Sendable {
    /// All of them, whether they can be read or not.
    private(set) var ids: Set<Name> = []
    private(set) var list = RecordList<Record>()

    init(in repository: RecordRepository<Record>) throws {
        guard let condition = RecordCondition.odd(Record.kind) else { return }
        let collection = repository.collection
        let ids = try condition.ids(in: collection)
        guard !ids.isEmpty else { return }
        self.ids = Set(ids.map { Name($0) })
        for start in stride(from: 0, to: ids.count, by: FieldRecordsLimits.recordsAtOnce) {
            let part = Array(ids[start..<min(start + FieldRecordsLimits.recordsAtOnce, ids.count)])
            for (id, stored) in zip(part, try collection.bodies(of: part)) {
                guard let stored, !stored.isDeleted else { continue }
                do throws(RecordError) {
                    list.records.append(try Record(id: id, body: stored.body))
                } catch {
                    list.unreadable.append(error)
                }
            }
        }
    }
}
