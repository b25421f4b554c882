import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// What writers choose is escaped and cut apart by its bytes, whatever Swift takes for one character.
@Suite struct LookAlikeAnswerTests {
    @Test func aTagBehindASignThatJoinsItIsEscaped() {
        let id = "\u{600}<img src=x onerror=alert(1) \u{600}>\u{301}&\u{301}\"'"
        let shown = AdminDocumentRoutes.escaped(id)
        for sign in ["<", ">", "\"", "'"] as [Unicode.Scalar] { #expect(!shown.unicodeScalars.contains(sign)) }
        #expect(
            shown.utf8.elementsEqual(
                "\u{600}&lt;img src=x onerror=alert(1) \u{600}&gt;\u{301}&amp;\u{301}&#34;&#39;".utf8))
    }

    @Test func onlyTwoDigitsAreAnEscape() {
        let cases: [(String, String)] = [
            ("%41", "A"), ("%c3%a9", "\u{E9}"), ("%+5", "%+5"), ("%-1", "%-1"), ("%4", "%4"), ("%", "%"),
            ("%4g", "%4g"),
        ]
        for (text, decoded) in cases {
            #expect(GatewayRequest.decoded(Substring(text)).utf8.elementsEqual(decoded.utf8), "\(text)")
        }
    }

    @Test func partsOfAKeyspaceAreCutAtTheByte() {
        #expect(Keyspace("db.\u{301}scope.c").database == "db")
    }

    /// The Kelvin sign is no K, and the Greek question mark no semicolon.
    @Test(.timeLimit(.minutes(1))) func aKeyspaceNamesTheCollectionWithItsBytes() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let collections: JSONValue = ["field": ["collections": ["K": [:]]]]
            try team.expect(201, try await team.admin("PUT", "/other/", ["scopes": collections]))
            for (path, status) in [
                ("/other.K/", 200), ("/other.field.K/", 200), ("/other.%E2%84%AA/", 404),
                ("/other.field.%E2%84%AA/", 404),
            ] {
                let answer = try await team.admin("GET", path + "_all_docs")
                #expect(answer.status == status, "\(path) \(answer.text)")
            }
        }
    }

    @Test func aBoundaryIsCutOutAtTheBytes() {
        for (type, boundary) in [
            ("multipart/related; boundary=\u{301}x", "\u{301}x"),
            ("multipart/related; a=b;\u{301}; boundary=\"y\"", "y"),
            ("multipart/related\u{37E} boundary=z", nil), ("multipart/related", nil),
        ] {
            #expect(MultipartReader.boundary(of: type).map { Name($0) } == boundary.map { Name($0) }, "\(type)")
        }
    }

    @Test func aVersionLosesItsQuotationMarksOnly() {
        #expect("\"1-a\u{301}\"\u{301}".withoutQuotes.utf8.elementsEqual("1-a\u{301}\u{301}".utf8))
    }

    /// Names of files: no slash stays, and no two ids share one.
    @Test func noNameOfAFileLeadsElsewhereOrIsTakenTwice() {
        var names = ExportNames()
        var seen: Set<Name> = []
        let ids = [
            "insp:1", "insp_1", "INSP_1", "\u{D4E}/..", "..", ".", "", "a/\u{301}b", "../../x", "a\u{0}b", "caf\u{E9}",
            "-rf.png",
            "cafe\u{301}", String(repeating: "\u{1F469}\u{200D}", count: 200), String(repeating: "x", count: 250),
            String(repeating: "x", count: 250) + "y",
        ]
        for id in ids {
            let name = names.name(for: id, type: "text/plain")
            #expect(!name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0), "\(id)")
            #expect(!".-".utf8.contains(name.utf8.first ?? 0) && name.utf8.count <= 255, "\(id)")
            #expect(seen.insert(Name(name)).inserted, "\(id)")
        }
    }

    @Test func aCellStaysACellAndIsNoFormula() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("table-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let document: JSONObject = [
            "_id": "a", "_rev": "1-a", "breaks": "x\"\u{301},=1+1,\"", "formula": "=HYPERLINK(\"x\")", "number": "-5",
        ]
        let lines = folder.appendingPathComponent("lines")
        try Data(document.bytes + [UInt8(ascii: "\n")]).write(to: lines)
        var table = TableColumns()
        table.add(document)
        let file = folder.appendingPathComponent("table.csv")
        try table.write(lines: lines, to: file)
        let expected =
            "_id,_rev,breaks,formula,number\r\na,1-a,\"x\"\"\u{301},=1+1,\"\"\",\"'=HYPERLINK(\"\"x\"\")\",-5\r\n"
        #expect(try Array(Data(contentsOf: file)) == Array(expected.utf8))
        #expect(throws: AdminError.self) { try table.write(lines: lines, to: file) }
    }
}
