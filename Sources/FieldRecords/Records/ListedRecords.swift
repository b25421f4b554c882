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
    /// The member with the status of records of the kind; `nil` where they have none.
    static var status: String? { get }

    init(id: String, row: QueryRow)
    init(_ record: Record)

    var id: String { get }
}

/// Records of whose list the newest are first.
package protocol DatedListedRecord: ListedRecord {
    /// As days are spelled.
    var date: String { get }
    /// The inspection with whose deletion the record is hidden.
    var tie: String? { get }
    /// The member with the day, or with the moment.
    static var day: String { get }
}

extension DatedListedRecord {
    package static var day: String { "date" }
}

/// The records of one kind in a list.
package struct ListedRecords<Listed: ListedRecord>: Sendable {
    package internal(set) var records: [Listed] = []
    /// Documents of the collection that are no records of this kind, or of a newer version.
    package internal(set) var unreadable: [RecordError] = []
}

extension RecordRepository {
    /// The listed parts of the records, in no defined order, and the errors of unreadable ones.
    ///
    /// - Parameters:
    ///   - ids: of the records, unless all are read; those that only a reader of records understands are there in any case.
    ///   - isShown: whether a record that was read as a whole is to be among them.
    package func listed<Listed: ListedRecord>(
        as _: Listed.Type, among ids: [String]? = nil, isShown: (Record) -> Bool = { _ in true }
    ) throws -> ListedRecords<Listed> where Listed.Record == Record {
        let odd = try OddRecords(in: self)
        var list = ListedRecords<Listed>()
        list.unreadable = odd.list.unreadable
        let condition = ids.map { RecordCondition.any("META().id", of: $0) }
        try forEachRow(of: Listed.columns, where: condition) { row in
            guard let id = row.text(0), odd.ids.isEmpty || !odd.ids.contains(Name(id)) else { return }
            list.records.append(Listed(id: id, row: row))
        }
        list.records += odd.list.records.filter(isShown).map { Listed($0) }
        return list
    }

    /// Calls `body` for each document with its id and some other columns.
    func forEachRow(
        of columns: [String], where condition: RecordCondition? = nil, body: (QueryRow) throws -> Void
    ) throws {
        var text = selection(of: columns)
        if let condition { text += " WHERE \(condition.text)" }
        let query = try collection.database.createQuery(text)
        query.parameters = condition?.parameters
        try query.forEachRow(body)
    }

    /// A query's text up to its source.
    func selection(of columns: [String]) -> String {
        var text = "SELECT META().id"
        for (index, column) in columns.enumerated() { text += ", \(column) AS c\(index)" }
        return text + " FROM \(collection.fullName)"
    }
}

/// A line of the list of sites.
package struct ListedSite: ListedRecord {
    package let id: String
    package let name: String
    package let address: String
    package let district: String?

    package static let owner = "createdBy"
    package static let status: String? = nil
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
package struct ListedInspection: DatedListedRecord {
    package let id: String
    package let site: String
    /// As days are spelled.
    package let date: String
    package let visit: String?
    package let status: String
    package let score: Int?

    package var tie: String? { nil }

    package static let owner = "inspector"
    package static let status: String? = "status"
    package static let columns = ["site", "date", "visit", "status", "score"]

    package init(id: String, row: QueryRow) {
        self.id = id
        site = row.text(1) ?? ""
        date = row.text(2) ?? ""
        visit = row.text(3).map { Inspection.Visit(exactly: $0)?.label ?? $0 }
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
package struct ListedFinding: DatedListedRecord {
    package let id: String
    package let inspection: String?
    package let site: String
    /// As days are spelled.
    package let date: String
    package let text: String
    package let risk: String?
    package let corrected: String?

    package var tie: String? { inspection }

    package static let owner = "createdBy"
    package static let status: String? = nil
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
