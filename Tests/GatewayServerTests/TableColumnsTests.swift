import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// A table has a bounded number of columns, and every member is in it.
@Suite struct TableColumnsTests {
    /// The lines of a table of documents.
    private static func table(_ documents: [JSONObject]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("table-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = folder.appendingPathComponent("lines")
        var bytes: [UInt8] = []
        var columns = TableColumns()
        for document in documents {
            columns.add(document)
            bytes += document.bytes + [UInt8(ascii: "\n")]
        }
        try Data(bytes).write(to: lines)
        let file = folder.appendingPathComponent("table.csv")
        try columns.write(lines: lines, to: file)
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\r\n").dropLast()
    }

    private static func document(_ id: String, members: JSONObject) -> JSONObject {
        let own: JSONObject = ["_id": .string(id), "_rev": "1-a"]
        return JSONObject(members: own.members + members.members)
    }

    private static func own(_ mark: String, count: Int) -> JSONObject {
        JSONObject(members: (0..<count).map { JSONObject.Member(key: "\(mark)\($0)", value: .int($0)) })
    }

    /// Each would have the long name in its own: a document of 0.5 MB took 10 GB.
    @Test(.timeLimit(.minutes(1))) func manyMembersBehindALongNameAreOneCell() throws {
        let inner = Self.own("m", count: 19_000)
        let long = String(repeating: "k", count: 400_000)
        let lines = try Self.table([Self.document("a", members: [long: .object(inner), "b": ["c": 1]])])
        #expect(lines.count == 2 && lines[0] == "_id,_rev,b.c,_other")
        #expect(lines[1].utf8.count < 1_000_000 && lines[1].contains("m18999"))
    }

    @Test func aTableOfFewMembersHasAColumnForEach() throws {
        let lines = try Self.table([
            Self.document("a", members: ["b": ["c": 1, "d": "x"]]), Self.document("e", members: ["f": true]),
        ])
        #expect(lines == ["_id,_rev,b.c,b.d,f", "a,1-a,1,x,", "e,1-a,,,true"])
    }

    /// What is called as the last column is in it, and so is the second of two members that would have one column.
    @Test func membersOfOneNameAreBothInTheTable() throws {
        let lines = try Self.table([
            Self.document("a", members: ["a.b": 1, "a": ["b": 2]]), Self.document("e", members: ["_other": "x"]),
        ])
        #expect(
            lines == [
                "_id,_rev,a.b,_other", #"a,1-a,1,"{""a.b"":2}""#, #"e,1-a,,"{""_other"":""x""}""#,
            ])
    }

    /// A register with documents of thousands of members, all different: each row was as long as all of them together.
    @Test func membersThatFewDocumentsHaveAreTogetherInOneColumn() throws {
        let odd = (0..<3).map { Self.document("odd\($0)", members: Self.own("m\($0)-", count: 2_000)) }
        let usual = (0..<3).map { Self.document("usual\($0)", members: ["name": "Otter", "place": ["city": "Amble"]]) }
        let lines = try Self.table(odd + usual)
        let names = lines[0].components(separatedBy: ",")
        #expect(names.count == 2 + CommonColumns.limit + 1 && names.last == "_other")
        #expect(names.contains("name") && names.contains("place.city"))
        #expect(lines[1].contains("\"\"m0-1999\"\":1999") && lines[3].contains("\"\"m2-0\"\":0"))
        let usualLine = try #require(lines.last)
        #expect(usualLine.contains("Otter,Amble") && usualLine.utf8.count < 600)
    }
}
