import DocumentStore
import DocumentValues
import FieldModels

/// The parts of a record that a list shows.
package protocol ListedRecord: Sendable {
    associatedtype Record: FieldRecord

    /// In SQL++, behind the id.
    static var columns: [String] { get }
    /// The member that says whose a record is.
    static var owner: String { get }
    /// Whether records of the kind have a status.
    static var hasStatus: Bool { get }

    init(id: String, row: QueryRow)
    init(_ record: Record)

    var id: String { get }
}

/// The order of the records of a list.
package enum ListOrder: Sendable {
    /// In no defined order.
    case asStored
    /// By their days, and those of one day by their ids, the last one first.
    case newestFirst

    fileprivate var text: String? {
        switch self {
        case .asStored: nil
        case .newestFirst: "date DESC, META().id DESC"
        }
    }
}

/// The records of one kind in a list.
package struct ListedRecords<Listed: ListedRecord>: Sendable {
    package internal(set) var records: [Listed] = []
    /// Documents of the collection that are no records of this kind, or of a newer version.
    package internal(set) var unreadable: [RecordError] = []
    /// Whether all that is in `records` is in the order that was asked for.
    package fileprivate(set) var isSorted = true
}

/// Documents that only a reader of records understands.
struct OddRecords<Record: FieldRecord> {
    /// All of them, whether they can be read or not.
    private(set) var ids: Set<Name> = []
    private(set) var list = RecordList<Record>()

    init(in repository: RecordRepository<Record>) throws {
        guard let condition = RecordCondition.odd(Record.kind) else { return }
        let collection = repository.collection
        var ids = try condition.ids(in: collection)
        if Record.kind.hasPlainDay { ids += try Self.idsWithoutDay(in: repository, besides: Set(ids.map { Name($0) })) }
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

extension OddRecords {
    /// Whose day is in no calendar.
    private static func idsWithoutDay(
        in repository: RecordRepository<Record>, besides known: Set<Name>
    ) throws -> [String] {
        var ids: [String] = []
        try repository.forEachRow(of: ["date"]) { row in
            if let day = row.text(1), CalendarDay(day) != nil { return }
            if let id = row.text(0), !known.contains(Name(id)) { ids.append(id) }
        }
        return ids
    }
}

extension RecordRepository {
    /// The listed parts of the records, and the errors of unreadable ones.
    ///
    /// - Parameters:
    ///   - order: odd documents are behind all others.
    ///   - isShown: the same as `filter`, for records that were read as a whole.
    package func listed<Listed: ListedRecord>(
        as _: Listed.Type, where filter: RecordFilter = RecordFilter(), order: ListOrder = .asStored,
        isShown: (Record) -> Bool = { _ in true }
    ) throws -> ListedRecords<Listed> where Listed.Record == Record {
        let odd = try OddRecords(in: self)
        let ties = try InspectionTies<Record>(inspections)
        var list = ListedRecords<Listed>()
        list.unreadable = odd.list.unreadable
        try forEachRow(of: Listed.columns, where: filter.condition(of: Listed.self), order: order) { row in
            guard let id = row.text(0), odd.ids.isEmpty || !odd.ids.contains(Name(id)) else { return }
            let listed = Listed(id: id, row: row)
            if !ties.isEmpty, ties.hides(inspection: (listed as? ListedFinding)?.inspection) { return }
            list.records.append(listed)
        }
        let others = odd.list.records.filter { !ties.hides($0) && isShown($0) }
        list.isSorted = others.isEmpty
        list.records += others.map { Listed($0) }
        return list
    }

    /// Calls `body` for each document with its id and some other columns.
    func forEachRow(
        of columns: [String], where condition: RecordCondition? = nil, order: ListOrder = .asStored,
        body: (QueryRow) throws -> Void
    ) throws {
        var text = "SELECT META().id"
        for (index, column) in columns.enumerated() { text += ", \(column) AS c\(index)" }
        text += " FROM \(collection.fullName)"
        if let condition { text += " WHERE \(condition.text)" }
        if let order = order.text { text += " ORDER BY \(order)" }
        let query = try collection.database.createQuery(text)
        query.parameters = condition?.parameters
        try query.forEachRow(body)
    }
}

/// Which records a list shows, by values that they have as they are given here; all of them as it is made.
package struct RecordFilter: Sendable {
    package enum Owner: Sendable {
        case named(String)
        /// Records that name no inspector.
        case nobody
    }

    package var site: String?
    package var status: String?
    package var owner: Owner?
    /// Codes of those that are wanted.
    package var districts: [String]?
    package var since: CalendarDay?
    package var until: CalendarDay?

    package init() {}

    /// `nil` for all records.
    fileprivate func condition<Listed: ListedRecord>(of _: Listed.Type) -> RecordCondition? {
        var condition = RecordConditions()
        if let site { condition.add("site", is: "=", to: site) }
        if let status {
            if Listed.hasStatus { condition.add("status", is: "=", to: status) } else { condition.add("FALSE") }
        }
        switch owner {
        case .named(let user)?: condition.add(Listed.owner, is: "=", to: user)
        case .nobody?: condition.add("CASE WHEN ISSTRING(\(Listed.owner)) THEN 1 ELSE 0 END = 0")
        case nil: break
        }
        if let districts { condition.add("district", among: districts) }
        if let since { condition.add("date", is: ">=", to: since.description) }
        if let until { condition.add("date", is: "<=", to: until.description) }
        return condition.all
    }
}

/// Conditions, all of which records have to fit.
private struct RecordConditions {
    private var parts: [String] = []
    private var values: [(name: String, value: String)] = []

    mutating func add(_ text: String) { parts.append(text) }

    mutating func add(_ member: String, is comparison: String, to value: String) {
        parts.append("\(member) \(comparison) \(parameter(value))")
    }

    mutating func add(_ member: String, among choices: [String]) {
        guard !choices.isEmpty else { return add("FALSE") }
        var names: [String] = []
        for choice in choices { names.append(parameter(choice)) }
        parts.append("\(member) IN [\(names.joined(separator: ", "))]")
    }

    private mutating func parameter(_ value: String) -> String {
        let name = "value\(values.count)"
        values.append((name: name, value: value))
        return "$" + name
    }

    var all: RecordCondition? {
        guard !parts.isEmpty else { return nil }
        return values.reduce(RecordCondition(parts.joined(separator: " AND "))) { $0.with($1.name, as: $1.value) }
    }
}

/// A line of the list of sites.
package struct ListedSite: ListedRecord {
    package let id: String
    package let name: String
    package let address: String
    package let district: String?

    package static let owner = "createdBy"
    package static let hasStatus = false
    package static let columns = [
        "name", "district", "address.street", "address.city", "address.state", "address.postalCode",
    ]

    package init(id: String, row: QueryRow) {
        self.id = id
        name = row.text(1) ?? ""
        district = row.text(2).flatMap { District($0)?.code }
        address = Address(street: row.text(3), city: row.text(4), state: row.text(5), postalCode: row.text(6)).line
    }

    package init(_ site: Site) {
        (id, name, address, district) = (site.id, site.name, site.address.line, site.district?.code)
    }
}

/// A line of the list of inspections.
package struct ListedInspection: ListedRecord {
    package let id: String
    package let site: String
    /// As days are spelled.
    package let date: String
    package let visit: String?
    package let status: String
    package let score: Int?

    package static let owner = "inspector"
    package static let hasStatus = true
    package static let columns = ["site", "date", "visit", "status", "score"]

    package init(id: String, row: QueryRow) {
        self.id = id
        site = row.text(1) ?? ""
        date = row.text(2) ?? ""
        visit = row.text(3).flatMap { Inspection.Visit(exactly: $0)?.label }
        status = row.text(4) ?? Inspection.Status.draft.rawValue
        score = row.integer(5).flatMap { Int(exactly: $0) }
    }

    package init(_ inspection: Inspection) {
        id = inspection.id
        site = inspection.site
        date = inspection.date.description
        visit = inspection.visitLabel
        status = inspection.status.rawValue
        score = inspection.score
    }
}

/// A line of the list of findings.
package struct ListedFinding: ListedRecord {
    package let id: String
    package let inspection: String?
    package let site: String
    /// As days are spelled.
    package let date: String
    package let text: String
    package let risk: String?
    package let corrected: String?

    package static let owner = "createdBy"
    package static let hasStatus = false
    package static let columns = ["inspection", "site", "date", "text", "risk", "corrected"]

    package init(id: String, row: QueryRow) {
        self.id = id
        inspection = row.text(1)
        site = row.text(2) ?? ""
        date = row.text(3) ?? ""
        text = row.text(4) ?? ""
        risk = row.text(5).flatMap { Finding.Risk(exactly: $0)?.rawValue }
        corrected = row.text(6).flatMap { CalendarDay($0)?.description }
    }

    package init(_ finding: Finding) {
        id = finding.id
        inspection = finding.inspection
        site = finding.site
        date = finding.date.description
        text = finding.text
        risk = finding.risk?.rawValue
        corrected = finding.corrected?.description
    }
}
