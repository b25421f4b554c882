import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The owner of a record: a laptop and the gateway give the same answer.
@Suite struct RecordOwnersTests {
    private func inspection(inspector: String?, createdBy: String?) throws -> Inspection {
        var body: JSONObject = [
            "type": "inspection", "schema": 1, "site": "site-1", "date": "2026-03-04", "visit": "routine",
            "status": "draft",
            "conflicts": [["field": "score", "value": 1, "by": "a"], ["field": "score", "value": 2, "by": "b"]],
        ]
        body["inspector"] = inspector.map(JSONValue.string)
        body["createdBy"] = createdBy.map(JSONValue.string)
        return try Inspection(id: "inspection-1", object: body)
    }

    /// An empty name is no user's: the record is its creator's.
    @Test(arguments: [nil, ""] as [String?]) func withoutAnInspectorItIsItsCreators(inspector: String?) throws {
        let inspection = try inspection(inspector: inspector, createdBy: "mara")
        #expect(inspection.isWork(of: "mara") && inspection.isToBeDone(by: "mara"))
        #expect(!inspection.isToBeDone(by: "tomas") && !inspection.isWork(of: nil))
        let conflict = try #require(RecordConflict(.inspection, id: inspection.id, object: inspection.object))
        #expect(conflict.isWork(of: "mara") && !conflict.isWork(of: "tomas"))
    }

    @Test func whatNamesNobodyIsToBeDoneByAnybody() throws {
        let inspection = try inspection(inspector: "", createdBy: "")
        #expect(inspection.isToBeDone(by: "mara") && !inspection.isWork(of: "mara") && !inspection.isWork(of: ""))
    }

    @Test func theInspectorDoesTheWork() throws {
        let inspection = try inspection(inspector: "tomas", createdBy: "mara")
        #expect(inspection.isWork(of: "tomas") && !inspection.isWork(of: "mara"))
    }
}
