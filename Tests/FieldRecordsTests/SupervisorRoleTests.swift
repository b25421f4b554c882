import FieldModels
import Testing

@testable import FieldRecords

@Suite struct SupervisorRoleTests {
    private static func inspection(by creator: String?, of inspector: String?) throws -> Inspection {
        var inspection = Inspection(
            id: "inspection-1", site: "site-1", date: try #require(CalendarDay("2026-03-04")), district: .unknown)
        inspection.envelope.createdBy = creator
        inspection.inspector = inspector
        return inspection
    }

    /// Otherwise a colleague who names a supervisor in a record would take the list of inspections to approve away from
    /// that supervisor.
    @Test(
        arguments: [
            ("tomas", "petra", .possible), ("petra", "petra", .unlikely), (nil, "petra", .unlikely),
            ("petra", nil, .unlikely), ("tomas", "tomas", .possible),
        ] as [(String?, String?, SupervisorRole)])
    func onlyOnesOwnRecordsAreOnesWork(creator: String?, inspector: String?, role: SupervisorRole) throws {
        let inspection = try Self.inspection(by: creator, of: inspector)
        #expect(SupervisorRole(of: "petra", assignments: [], inspections: [inspection]) == role)
    }
}
