import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Records that another program has written without the members of their kind.
@Suite struct DamagedRecordsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws {
        folder = try WorkedFolder()
        let body = #"{"type":"inspection","site":"site-1","notes":"dry"}"#
        try folder.field.collection(of: .inspection).save(bodies: [("inspection-2", Array(body.utf8))])
    }

    @Test func whatIsMissingIsNamed() throws {
        #expect(try field.damaged.damage(of: .inspection, "inspection-2").map(\.field) == ["date"])
        #expect(try field.damaged.damage(of: .inspection, "inspection-1").isEmpty)
        #expect(try field.damaged.damage(of: .inspection, "inspection-9").isEmpty)
    }

    @Test func whatIsSetMakesItARecord() throws {
        field.journal.begin("edit", by: folder.mara)
        let body = try field.damaged.mend(
            .inspection, id: "inspection-2", setting: ["date": "2026-03-05"], by: folder.mara)
        #expect(body["date"] == "2026-03-05" && body["notes"] == "dry" && body["changedBy"] == "mara")
        #expect(try folder.inspection("inspection-2").notes == "dry")
        #expect(try field.journal.last()?.records.map(\.id) == ["inspection-2"])
    }

    @Test func whatWouldBeNoneStillIsNotSaved() throws {
        #expect(throws: RecordError.self) {
            try field.damaged.mend(.inspection, id: "inspection-2", setting: ["date": "soon"], by: folder.mara)
        }
        let stored = try #require(try field.collection(of: .inspection).document(id: "inspection-2"))
        #expect(stored.body["date"] == nil && stored.body["changedBy"] == nil)
        #expect(throws: RecordActionError(.notFound, kind: .site, id: "site-9")) {
            try field.damaged.mend(.site, id: "site-9", setting: ["name": "Hut"], by: folder.mara)
        }
    }

    /// Each kind has its own members.
    @Test(arguments: RecordKind.allCases) func everyKindIsMended(kind: RecordKind) throws {
        let id = "\(kind.rawValue)-8"
        try field.collection(of: kind).save(bodies: [(id, Array("{}".utf8))])
        #expect(try !field.damaged.damage(of: kind, id).isEmpty)
        let values: JSONObject = [
            "name": "Hut", "site": "site-1", "date": "2026-03-04", "due": "2026-03-04", "text": "Dust",
            "inspector": "mara", "fields": [], "form": "visit", "formVersion": "1", "instanceID": "uuid:1",
        ]
        try field.damaged.mend(kind, id: id, setting: values, by: folder.mara)
        #expect(try field.damaged.damage(of: kind, id).isEmpty)
    }
}
