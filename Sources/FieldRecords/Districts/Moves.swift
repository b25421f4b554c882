import DocumentStore
import DocumentValues
import FieldModels

/// Moves records to another site, district or day with the records that belong to them: a correction of a site's district,
/// or of an inspection's, includes that.
public struct Moves: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let submissions: Submissions
    let districts: Districts
    let unsent: UnsentChanges

    /// Moves the records of a site that no gateway has taken yet: others already see the sent ones in the old district.
    public func moveRecords(ofSite id: String, from old: District, to new: District, by author: Author) throws
        -> MovedRecords
    {
        func belongs(_ record: some FieldRecord, site: String) throws -> Bool {
            try site.isExactly(id) && record.district == old && !isKnownToGateway(type(of: record).kind, id: record.id)
        }
        return try database.inBatch {
            var moved = MovedRecords()
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
            for response in try responses.all().records where try belongs(response, site: response.site ?? "") {
                try responses.update(response.id, by: author) { $0.envelope.move(to: new) }
                moved.responses += 1
            }
            return moved
        }
    }

    /// How many records of a site are in a district.
    public func records(ofSite id: String, in district: District) throws -> MovedRecords {
        func count(_ records: [some FieldRecord], site: (Int) -> String) -> Int {
            records.indices.filter { records[$0].district == district && site($0).isExactly(id) }.count
        }
        let (inspections, findings) = (try inspections.all().records, try findings.all().records)
        let (assignments, responses) = (try assignments.all().records, try responses.all().records)
        var counts = MovedRecords()
        counts.inspections = count(inspections) { inspections[$0].site }
        counts.findings = count(findings) { findings[$0].site }
        counts.assignments = count(assignments) { assignments[$0].site }
        counts.responses = count(responses) { responses[$0].site ?? "" }
        return counts
    }

    /// Moves an inspection to another site, with its findings, and all of them into the site's district.
    ///
    /// - Throws: `RecordActionError` if the inspection has been handed in, or is not there.
    /// - Returns: how many findings went along.
    @discardableResult
    public func moveInspection(_ id: String, toSite site: Site, by author: Author) throws -> Int {
        try database.inBatch {
            let old = try inspections.find(id)
            try inspections.update(id, by: author) { inspection in
                try submissions.checkIsOpen(inspection)
                inspection.site = site.id
                if let district = site.district { inspection.envelope.move(to: district) }
            }
            var moved = 0
            for finding in try findings.all(ofInspection: id).records {
                try findings.update(finding.id, by: author) { finding in
                    finding.site = site.id
                    guard let district = site.district else { return }
                    finding.follow(to: district, with: old, by: author)
                    try unsent.restoreChannels(of: &finding)
                }
                moved += 1
            }
            return moved
        }
    }

    /// Moves the findings of an inspection.
    public func moveFindings(ofInspection id: String, from old: District, to new: District, by author: Author) throws
        -> MovedRecords
    {
        try database.inBatch {
            var moved = MovedRecords()
            let inspection = try inspections.find(id)
            for finding in try findings.all(ofInspection: id).records where finding.district == old {
                try findings.update(finding.id, by: author) { finding in
                    finding.follow(to: new, with: inspection, by: author)
                    try unsent.restoreChannels(of: &finding)
                }
                moved.findings += 1
            }
            return moved
        }
    }
}
