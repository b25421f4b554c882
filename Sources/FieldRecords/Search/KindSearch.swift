import DocumentStore
import DocumentValues
import FieldModels

/// Looks for terms in the records of one kind. It reads only those that may have them. Where these are few, it reads them at
/// once; otherwise in the order in which they are shown, as that is requested.
struct KindSearch<Record: FieldRecord>: Sendable {
    struct Match {
        let record: Record
        let found: FoundRecord
    }

    let records: RecordRepository<Record>
    let terms: SearchTerms
    /// `nil` for a record that has not all terms.
    let match: @Sendable (Record) -> FoundRecord?

    /// - Parameters:
    ///   - few: brings records into the order in which they are shown.
    ///   - many: the ids of those among the given ones that may be shown, in that order.
    func run(
        few: ([Match]) -> [FoundRecord], many: (Set<Name>) throws -> Portions<String>
    ) throws -> Portions<FoundRecord> {
        let ids = try terms.candidates(in: records)
        if ids.count <= FieldRecordsLimits.recordsAtOnce { return Portions(few(try matches(among: ids))) }
        return try many(Set(ids.map { Name($0) })).map { try matches(among: $0).map(\.found) }
    }

    /// A list names unreadable records; the search does not find them.
    private func matches(among ids: [String]) throws -> [Match] {
        var matches: [Match] = []
        for (id, stored) in zip(ids, try records.collection.bodies(of: ids)) {
            guard let stored, !stored.isDeleted, let record = try? Record(id: id, body: stored.body),
                let found = match(record)
            else { continue }
            matches.append(Match(record: record, found: found))
        }
        let ties = try InspectionTies<Record>(records.inspections)
        return ties.isEmpty ? matches : matches.filter { !ties.hides($0.record) }
    }
}
