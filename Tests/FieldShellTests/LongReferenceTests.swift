import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// Other programs have written texts of any length where laptops have an id or a name.
@Suite struct LongReferenceTests {
    private static let long = String(repeating: "s", count: 5_000)

    @Test(arguments: ["list", "today", "show aa"]) func aLongIDFillsNoScreen(command: String) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let body: JSONObject = [
            "type": "inspection", "site": .string(Self.long), "date": "2026-03-04", "status": "draft",
            "district": "hill", "channels": ["district.hill"], "createdBy": "mara", "inspector": "mara",
            "form": .string(Self.long), "assignment": .string(Self.long),
        ]
        try shell.field.collection(of: .inspection).save(bodies: [("inspection-aa", body.bytes)])
        let seen = try await shell.type(command, width: 200)
        #expect(seen.contains("sss") && seen.utf8.count < Self.long.utf8.count, "\(seen.utf8.count)")
    }

    @Test func aLongNameFillsNoNotice() throws {
        let shell = try Shell()
        let body: JSONObject = [
            "type": "site", "name": .string(Self.long), "district": "hill", "channels": ["district.hill"],
        ]
        try shell.field.collection(of: .site).save(bodies: [("site-aa", body.bytes)])
        let title = try TitleWithSite(shell.field.deletions).title(RecordReference(.site, id: "site-aa"))
        #expect(title.utf8.count < 1_000)
        #expect(try SiteName(shell.field.deletions).of("site-aa").utf8.count < 1_000)
    }
}
