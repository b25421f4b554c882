import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// A folder for the services to work on: two sites, an inspection of the first with two findings, and an assignment.
final class WorkedFolder {
    let temporary: TemporaryField
    let day: CalendarDay
    let mill: District
    let hill: District

    var field: FieldDatabase { temporary.field }
    /// The author of all records but the assignment.
    var mara: Author { temporary.author }
    /// A supervisor, who has assigned it.
    var ines: Author { author("ines") }

    init() throws {
        temporary = try TemporaryField()
        day = try #require(CalendarDay("2026-03-04"))
        mill = try #require(District("mill"))
        hill = try #require(District("hill"))
        try addSite("site-1", name: "Old mill", in: mill)
        try addSite("site-2", name: "Hill hut", in: hill)
        try addInspection("inspection-1")
        for number in 1...2 { try addFinding("finding-\(number)", of: "inspection-1") }
        let assignment = Assignment(id: "assignment-1", inspector: "mara", site: "site-1", due: day, district: mill)
        try field.assignments.add(assignment, by: ines)
    }

    /// - Parameter hours: the time after the records were made.
    func author(_ name: String, hours: Int64 = 0) -> Author {
        Author(
            name: name, moment: Timestamp(secondsSince1970: temporary.author.moment.secondsSince1970 + hours * 3_600))
    }

    func addSite(_ id: String, name: String, in district: District) throws {
        try field.sites.add(Site(id: id, name: name, address: Address(), district: district), by: mara)
    }

    func addInspection(
        _ id: String, at site: String = "site-1", by author: Author? = nil,
        change: (inout Inspection) -> Void = { _ in }
    ) throws {
        var inspection = Inspection(id: id, site: site, date: day, district: mill)
        change(&inspection)
        try field.inspections.add(inspection, by: author ?? mara)
    }

    func addFinding(_ id: String, of inspection: String, by author: Author? = nil) throws {
        let finding = Finding(
            id: id, inspection: inspection, site: "site-1", date: day, text: "Dust", district: mill)
        try field.findings.add(finding, by: author ?? mara)
    }

    func inspection(_ id: String = "inspection-1") throws -> Inspection { try #require(try field.inspections.find(id)) }

    /// Submits the inspection, as if a sync had sent that.
    func handIn(_ id: String = "inspection-1") throws {
        try field.inspections.update(id, by: mara) { $0.status = .submitted }
        try field.acknowledge(.inspection, id)
    }

    /// Acts as a sync does if another user has deleted a record.
    func deleteElsewhere(_ kind: RecordKind, _ id: String, leaving tombstone: String = "{}") throws {
        let store = try ReplicationStore(database: field.database, remote: "wss://gateway/field")
        let present = try #require(try store.revision(of: id, in: kind.collection)).revision
        let generation = try #require(present.treeRevision).generation
        try field.deletions.keep(kind, ids: [id])
        let deletion = PulledRevision(
            documentID: id, revision: RevisionID(generation: generation + 1, digest: "ff"),
            history: RevisionHistory([present]), isDeleted: true,
            body: try DocumentBody(reading: Array(tombstone.utf8)))
        _ = try store.insert([deletion], in: kind.collection)
        try #require(try !field.store.isThere(kind, id: id))
    }

    /// Acts as a sync does if access to a record was lost.
    func takeAway(_ kind: RecordKind, _ id: String) throws {
        let store = try ReplicationStore(database: field.database, remote: "wss://gateway/field")
        _ = try store.purge(
            [id], in: kind.collection, quarantine: true, reason: QuarantinedDocument.accessLost)
    }
}
