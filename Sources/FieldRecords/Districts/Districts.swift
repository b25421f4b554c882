import DocumentStore
import DocumentValues
import FieldModels

/// The districts of records. A record takes its district from its site when it is made; a correction of the site's
/// district, or of an inspection's, includes the records that belong to it.
public struct Districts: RecordService {
    let store: RecordStore

    /// The codes that sites, inspections, assignments and filled forms here have, in their order.
    public func all() throws -> [String] {
        let codes = try districts(of: sites).union(districts(of: inspections)).union(districts(of: assignments))
            .union(districts(of: responses))
        return codes.sorted().map(\.text)
    }

    /// The codes of sites and inspections that a gateway has taken: records of these districts are accepted.
    public func accepted() throws -> [String] {
        let taken: [any FieldRecord] =
            try self.taken(among: sites.all().records) + self.taken(among: inspections.all().records)
        return Self.codes(taken)
    }

    /// Those of some districts in which the gateway has taken no record: typing errors, or districts that no user has
    /// yet. None if it has taken no record at all.
    public func unaccepted(among codes: some Sequence<String>) throws -> [String] {
        var left = Set(codes.map { Name($0) })
        var isAnyTaken = false
        func look(_ records: [some FieldRecord]) throws {
            for case let district? in try taken(among: records).map(\.district) {
                isAnyTaken = true
                left.remove(Name(district.code))
            }
        }
        if !left.isEmpty { try look(sites.all().records) }
        if !left.isEmpty { try look(inspections.all().records) }
        return isAnyTaken ? left.sorted().map(\.text) : []
    }

    private static func codes(_ records: [any FieldRecord]) -> [String] {
        Set(records.compactMap { $0.district.map { Name($0.code) } }).sorted().map(\.text)
    }

    /// A finding is in the district of its inspection: otherwise people of one district would have the inspection
    /// without it, and people of the other the finding alone.
    ///
    /// - Throws: `FindingDistrictError` for a finding of an inspection that is in another district, or not on this laptop.
    public func check(_ finding: Finding) throws {
        guard let id = finding.inspection else { return }
        if try lacksInspection(finding.object) {
            throw FindingDistrictError(
                finding: finding.id,
                problem: "stays its inspection's, which is not on this laptop; ask your administrator for its district")
        }
        guard let own = try district(ofInspection: id), finding.district != own else { return }
        let way = Advice.moveInspection(RecordKind.inspection.shortID(of: id), district: finding.district?.code)
        throw FindingDistrictError(
            finding: finding.id,
            problem: """
                must be \(own.code), which is its inspection's; the inspection goes to another one with its findings\
                \(colon: way)
                """)
    }

    /// `nil` where it is not here, or cannot be read.
    private func district(ofInspection id: String) throws -> District? {
        try inspections.findReadable(id)?.district
    }

    /// Those of which a gateway has any version. Asked one by one, a register of 60,000 sites would take seconds.
    func taken<Record: FieldRecord>(among records: [Record]) throws -> [Record] {
        let known = try collection(of: Record.kind).idsKnownToRemotes()
        return records.filter { known.contains(Name($0.id)) }
    }

    /// The codes of the districts of a kind's records.
    func districts<Record: FieldRecord>(of records: RecordRepository<Record>) throws -> Set<Name> {
        guard RecordCondition.odd(Record.kind) != nil else {
            return Set(try records.all().records.compactMap { $0.district.map { Name($0.code) } })
        }
        let odd = try OddRecords(in: records)
        var codes = Set(odd.list.records.compactMap { $0.district.map { Name($0.code) } })
        func add(_ code: String?) {
            if let code, let district = District(code) { codes.insert(Name(district.code)) }
        }
        if odd.ids.isEmpty {
            let query = try database.createQuery("SELECT DISTINCT district FROM \(records.collection.fullName)")
            try query.forEachRow { add($0.text(0)) }
        } else {
            try records.forEachRow(of: ["district"]) { row in
                if let id = row.text(0), !odd.ids.contains(Name(id)) { add(row.text(1)) }
            }
        }
        return codes
    }

    /// The code of the district in which the gateway has a record; `nil` where that is the record's own, or is not known.
    public func atGateway(of kind: RecordKind, _ id: String) throws -> String? {
        try atGateway(of: kind, id, now: collection(of: kind).document(id: id)?.body)
    }

    func atGateway(of kind: RecordKind, _ id: String, now: JSONObject?) throws -> String? {
        let district = try gatewayBody(of: kind, id)?["district"]?.stringValue
        return district.isExactly(now?["district"]?.stringValue) ? nil : district
    }
}
