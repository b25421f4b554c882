import DocumentStore
import DocumentValues
import FieldModels

/// Records in the order of their list, the newest first, which are read as the list is shown.
package struct RecordsByDay<Listed: DatedListedRecord>: Sendable {
    /// By their days, and those of one day by their ids, the last one first.
    package let records: Portions<Listed>
    /// Documents of the collection that are no records of this kind, or of a newer version.
    package let unreadable: [RecordError]
}

extension RecordRepository {
    /// - Parameter isShown: the same as `filter`, for records that were read as a whole.
    package func byDay<Listed: DatedListedRecord>(
        as _: Listed.Type, where filter: RecordFilter = RecordFilter(), isShown: (Record) -> Bool = { _ in true }
    ) throws -> RecordsByDay<Listed> where Listed.Record == Record {
        let odd = try OddRecords(in: self)
        let reader = try DayReader<Listed>(of: self, where: filter, besides: odd.ids)
        let others = odd.list.records.filter(isShown).map { Listed($0) }
            .sorted { DayReader<Listed>.isNewer($0, than: $1) }
        return RecordsByDay(
            records: try reader.portion(behind: DayReader<Listed>.start(of: filter), odd: others[...]),
            unreadable: odd.list.unreadable)
    }
}

extension RecordRepository {
    /// The same in another order: the shown parts of all of them are read at once.
    ///
    /// - Parameter areInOrder: for records of which neither comes first, the newest is first.
    package func ordered<Listed: DatedListedRecord>(
        as _: Listed.Type, where filter: RecordFilter, isShown: (Record) -> Bool = { _ in true },
        by areInOrder: (Listed, Listed) -> Bool
    ) throws -> RecordsByDay<Listed> where Listed.Record == Record {
        let odd = try OddRecords(in: self)
        let ties = try InspectionTies<Record>(inspections)
        var records = odd.list.records.filter(isShown).map { Listed($0) }
        try forEachRow(of: Listed.columns, where: filter.condition(withDaysOf: Listed.self)) { row in
            guard let id = row.text(0), odd.ids.isEmpty || !odd.ids.contains(Name(id)) else { return }
            records.append(Listed(id: id, row: row))
        }
        if !ties.isEmpty { records.removeAll { ties.hides(inspection: $0.tie) } }
        records.sort { left, right in
            if areInOrder(left, right) { return true }
            return !areInOrder(right, left) && DayReader<Listed>.isNewer(left, than: right)
        }
        return RecordsByDay(
            records: Portions(records[...], by: FieldRecordsLimits.recordsAtOnce), unreadable: odd.list.unreadable)
    }
}

/// Reads records by their days in portions.
///
/// Each portion is a query of its own that goes on behind the last record of the one before. A user may leave a list open for
/// an hour, and one query for all of it would keep the database's log from being shortened as long. If the day of a record
/// is changed in that time, the record may be in two portions, or in none.
private struct DayReader<Listed: DatedListedRecord>: Sendable {
    private let query: Query
    private let condition: RecordCondition?
    /// All days are texts, so none is before an empty one.
    private let firstDay: String
    private let odd: Set<Name>
    /// Findings are not shown if their inspection is deleted.
    private let ties: InspectionTies<Listed.Record>

    /// The day and the id of the last record of a portion.
    struct Key: Sendable {
        let day: String
        let id: String
    }

    /// - Parameter odd: the documents that are read as a whole.
    init(of repository: RecordRepository<Listed.Record>, where filter: RecordFilter, besides odd: Set<Name>) throws {
        self.odd = odd
        ties = try InspectionTies(repository.inspections)
        firstDay = filter.since?.description ?? ""
        // Days are where the list ends and begins.
        condition = filter.condition(of: Listed.self)
        let day = Listed.day
        let filtered = condition.map { "\($0.text) AND " } ?? ""
        query = try repository.collection.database.createQuery(
            "\(repository.selection(of: Listed.columns)) WHERE \(filtered)\(day) >= $firstDay AND \(day) <= $lastDay "
                + "AND (\(day) < $lastDay OR META().id < $lastID) "
                + "ORDER BY \(day) DESC, META().id DESC LIMIT \(FieldRecordsLimits.recordsAtOnce)")
    }

    /// A tilde is behind all that a day is spelled with.
    static func start(of filter: RecordFilter) -> Key {
        Key(day: (filter.until?.description ?? "") + "~", id: "")
    }

    static func isNewer(_ left: Listed, than right: Listed) -> Bool {
        (Name(right.date), Name(right.id)) < (Name(left.date), Name(left.id))
    }

    /// - Parameters:
    ///   - last: the last record before those that are read.
    ///   - others: odd documents behind it, in their order.
    func portion(behind last: Key, odd others: ArraySlice<Listed>) throws -> Portions<Listed> {
        var (last, others) = (last, others)
        while true {
            let next = try read(behind: last)
            let here = next.end.map { end in others.prefix { !Self.isBehind($0, key: end) } } ?? others
            let records = here.isEmpty ? next.records : (next.records + here).sorted { Self.isNewer($0, than: $1) }
            let shown = ties.isEmpty ? records : records.filter { !ties.hides(inspection: $0.tie) }
            guard let end = next.end else { return Portions(shown) }
            let left = others.dropFirst(here.count)
            if !shown.isEmpty { return Portions(shown) { try portion(behind: end, odd: left) } }
            (last, others) = (end, left)
        }
    }

    private static func isBehind(_ record: Listed, key: Key) -> Bool {
        (Name(record.date), Name(record.id)) < (Name(key.day), Name(key.id))
    }

    /// - Returns: with the records where they end; `nil` where no others follow.
    private func read(behind last: Key) throws -> (records: [Listed], end: Key?) {
        let parameters = condition?.parameters ?? Parameters()
        parameters.setString(firstDay, forName: "firstDay")
        parameters.setString(last.day, forName: "lastDay").setString(last.id, forName: "lastID")
        query.parameters = parameters
        var records: [Listed] = []
        var (count, end) = (0, last)
        try query.forEachRow { row in
            guard let id = row.text(0) else { return }
            let record = Listed(id: id, row: row)
            count += 1
            end = Key(day: record.date, id: id)
            if odd.isEmpty || !odd.contains(Name(id)) { records.append(record) }
        }
        return (records, count < FieldRecordsLimits.recordsAtOnce ? nil : end)
    }
}
