import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing
import WorkCount

@testable import FieldSync

/// Saying what a sync has brought costs no more than in proportion to that and to what is here.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SyncReportGrowthTests {
    private static let day = CalendarDay(daysSince1970: 20_516)

    private static func assignment(_ id: String) throws -> [UInt8] {
        let hill = try #require(District("hill"))
        return Assignment(id: id, inspector: "piet", site: "site-mill", due: day, district: hill).body
    }

    private static func inspection(_ id: String, for assignment: String, of inspector: String) throws -> Inspection {
        let hill = try #require(District("hill"))
        var inspection = Inspection(id: id, site: "site-mill", date: day, district: hill)
        (inspection.assignment, inspection.inspector) = (assignment, inspector)
        return inspection
    }

    /// Mara's laptop after so many assignments of a colleague came, each with a draft of somebody.
    private static func given(_ count: Int, begunBy name: String) throws -> (TemporaryFolder, SyncRecorder.Notes) {
        let folder = try TemporaryFolder(password: "secret")
        let ids = (0..<count).map { (assignment: "assignment-\($0)", inspection: "inspection-of-\($0)") }
        try folder.field.collection(of: .assignment).save(
            bodies: ids.map { (id: $0.assignment, body: try assignment($0.assignment)) })
        try folder.field.collection(of: .inspection).save(
            bodies: ids.map { id in
                (id: id.inspection, body: try inspection(id.inspection, for: id.assignment, of: name).body)
            })
        var notes = SyncRecorder.Notes()
        notes.pulled =
            ids.map { RecordReference(.assignment, id: $0.assignment) }
            + ids.map { RecordReference(.inspection, id: $0.inspection) }
        return (folder, notes)
    }

    @Test(arguments: [("piet", false), ("mara", true)])
    func namingAssignmentsOfOthersGrowsWithThem(inspector: String, isNamed: Bool) async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(100) { size in
            (size, try Self.given(size, begunBy: inspector))
        } work: { size, given in
            let (folder, notes) = given
            var tally = try SyncTally(TemporaryFolder.environment(folder.field))
            let report = try tally.report(notes)
            #expect(report.records.handedOver.count == (isNamed ? size : 0))
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// The same of so many inspections, whose reason of a return two people have said differently.
    private static func contested(_ count: Int) throws -> (TemporaryFolder, [RecordReference]) {
        let folder = try TemporaryFolder(password: "secret")
        let ids = (0..<count).map { "inspection-of-\($0)" }
        try folder.field.collection(of: .inspection).save(
            bodies: ids.map { id in
                var body = try inspection(id, for: "assignment-1", of: "piet").object
                body["review"] = "dry"
                body["conflicts"] = [
                    ["field": "review", "value": "dry", "by": "ines", "device": "one"],
                    ["field": "review", "value": "wet", "by": "olga", "device": "two"],
                ]
                return (id: id, body: body.bytes)
            })
        return (folder, ids.map { RecordReference(.inspection, id: $0) })
    }

    /// Who is a supervisor is asked of all records.
    @Test func namingWhatWasMergedGrowsWithThat() async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(100) { size in
            (size, try Self.contested(size))
        } work: { size, contested in
            let (folder, references) = contested
            let merged = try MergedRecords(TemporaryFolder.environment(folder.field)).all(references)
            #expect(merged.count == size)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
