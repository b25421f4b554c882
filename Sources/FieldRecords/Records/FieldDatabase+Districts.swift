import DocumentStore
import DocumentValues
import FieldModels

/// How many records went to another district with the one they belong to.
public struct MovedRecords: Sendable, Hashable {
    public var inspections = 0
    public var findings = 0
    public var assignments = 0

    public init() {}

    public var isEmpty: Bool { inspections + findings + assignments == 0 }
}

/// The districts of records. A record takes its district from its site when it is made; a correction of the site's
/// district, or of an inspection's, includes what belongs to it.
extension FieldDatabase {
    /// The codes that sites, inspections and assignments here have, in their order.
    public func districts() throws -> [String] {
        let codes = try districts(of: sites).union(districts(of: inspections)).union(districts(of: assignments))
        return codes.sorted().map(\.text)
    }

    /// The codes of sites and inspections that a gateway has taken: records of these districts are accepted.
    public func acceptedDistricts() throws -> [String] {
        let taken: [any FieldRecord] =
            try self.taken(among: sites.all().records) + self.taken(among: inspections.all().records)
        return Self.codes(taken)
    }

    /// Which of some districts no record is in that a gateway has taken: a slip, or nobody's yet. None where it has taken
    /// nothing at all.
    public func unacceptedDistricts(among codes: some Sequence<String>) throws -> [String] {
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

    /// Those of which a gateway has any version. Asked one by one, a register of 60,000 sites would take seconds.
    func taken<Record: FieldRecord>(among records: [Record]) throws -> [Record] {
        let known = try collection(of: Record.kind).idsKnownToRemotes()
        return records.filter { known.contains(Name($0.id)) }
    }

    /// Whether a gateway has any version of the record.
    public func isTaken(_ kind: RecordKind, id: String) throws -> Bool {
        try collection(of: kind).exchange(of: id)?.isKnownToRemotes ?? false
    }

    /// Moves what belongs to a site as long as no gateway has taken it: what was sent is in a district that others see
    /// it in.
    public func moveRecords(ofSite id: String, from old: District, to new: District, by author: Author) throws
        -> MovedRecords
    {
        var moved = MovedRecords()
        func belongs(_ record: some FieldRecord, site: String) throws -> Bool {
            try site.isExactly(id) && record.district == old && !isTaken(type(of: record).kind, id: record.id)
        }
        try database.inBatch {
            for inspection in try inspections.all().records where try belongs(inspection, site: inspection.site) {
                try inspections.update(inspection.id, by: author) { $0.envelope.move(to: new) }
                moved.inspections += 1
            }
            for finding in try findings.all().records where try belongs(finding, site: finding.site) {
                try findings.update(finding.id, by: author) { $0.envelope.move(to: new) }
                moved.findings += 1
            }
            for assignment in try assignments.all().records where try belongs(assignment, site: assignment.site) {
                try assignments.update(assignment.id, by: author) { $0.envelope.move(to: new) }
                moved.assignments += 1
            }
        }
        return moved
    }

    /// How many records of a site are in a district.
    public func records(ofSite id: String, in district: District) throws -> MovedRecords {
        func count(_ records: [some FieldRecord], site: (Int) -> String) -> Int {
            records.indices.filter { records[$0].district == district && site($0).isExactly(id) }.count
        }
        let (inspections, findings) = (try inspections.all().records, try findings.all().records)
        let assignments = try assignments.all().records
        var counts = MovedRecords()
        counts.inspections = count(inspections) { inspections[$0].site }
        counts.findings = count(findings) { findings[$0].site }
        counts.assignments = count(assignments) { assignments[$0].site }
        return counts
    }

    /// Moves an inspection to another site, with its findings, and all of them into the site's district.
    ///
    /// - Throws: `RecordActionError` if the inspection has been handed in, or is not there.
    /// - Returns: how many findings went along.
    @discardableResult
    public func moveInspection(_ id: String, toSite site: Site, by author: Author) throws -> Int {
        var moved = 0
        try database.inBatch {
            let old = try inspections.find(id)
            try inspections.update(id, by: author) { inspection in
                try checkIsOpen(inspection)
                inspection.site = site.id
                if let district = site.district { inspection.envelope.move(to: district) }
            }
            for finding in try findings.all(ofInspection: id).records {
                try findings.update(finding.id, by: author) { finding in
                    finding.site = site.id
                    guard let district = site.district else { return }
                    finding.follow(to: district, with: old, by: author)
                    try restoreChannels(of: &finding)
                }
                moved += 1
            }
        }
        return moved
    }

    /// A finding is in the district of its inspection: otherwise people of one district would have the inspection
    /// without it, and people of the other the finding alone.
    ///
    /// - Throws: `RecordError` for a finding of an inspection that is in another district, or not on this laptop.
    public func checkDistrict(of finding: Finding) throws {
        guard let id = finding.inspection else { return }
        if try lacksInspection(finding.object) {
            throw RecordError(
                kind: .finding, id: finding.id,
                problems: [
                    FieldProblem(
                        "district",
                        message:
                            "stays its inspection's, which is not on this laptop; ask your administrator for its district"
                    )
                ])
        }
        guard let own = try district(ofInspection: id), finding.district != own else { return }
        let code = finding.district?.code ?? "CODE"
        throw RecordError(
            kind: .finding, id: finding.id,
            problems: [
                FieldProblem(
                    "district",
                    message:
                        "must be \(own.code), which is its inspection's; the inspection goes to another one with its findings: "
                        + "edit \(RecordKind.inspection.shortID(of: id)) district=\(code)")
            ])
    }

    /// Whether an object is a finding whose inspection is not on this laptop, such as one in a district that was taken away.
    public func lacksInspection(_ object: JSONObject) throws -> Bool {
        guard let id = object["inspection"]?.stringValue else { return false }
        return try collection(of: .inspection).exchange(of: id) == nil
    }

    /// `nil` where it is not here, or cannot be read.
    private func district(ofInspection id: String) throws -> District? {
        try inspections.findReadable(id)?.district
    }

    /// Moves the findings of an inspection.
    public func moveFindings(ofInspection id: String, from old: District, to new: District, by author: Author) throws
        -> MovedRecords
    {
        var moved = MovedRecords()
        try database.inBatch {
            let inspection = try inspections.find(id)
            for finding in try findings.all(ofInspection: id).records where finding.district == old {
                try findings.update(finding.id, by: author) { finding in
                    finding.follow(to: new, with: inspection, by: author)
                    try restoreChannels(of: &finding)
                }
                moved.findings += 1
            }
        }
        return moved
    }
}
