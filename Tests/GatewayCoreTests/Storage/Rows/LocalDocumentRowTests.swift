import DocumentValues
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct LocalDocumentRowTests {
    typealias Rows = (read: any LocalDocumentRows, write: any LocalDocumentWrites)

    static let engines = RowEngine<Rows>.all { ($0.reader.localDocuments, $0.localDocuments) }

    private static func document(_ id: String, number: Int64 = 1, body: String = "{}") -> LocalDocument {
        LocalDocument(id: id, number: number, body: Array(body.utf8))
    }

    @Test(arguments: engines) func oneIsReplacedAndDeleted(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            try await rows.write.put(Self.document("a"), in: 1, owner: "ann", now: 10)
            try await rows.write.put(Self.document("a", number: 2, body: #"{"x":1}"#), in: 1, owner: "ann", now: 30)
            let found = try await rows.read.find("a", in: 1)
            #expect(found?.revision == "0-2" && found?.body == Array(#"{"x":1}"#.utf8))
            #expect(try await rows.read.find("a", in: 2) == nil)
            #expect(try await rows.read.find("A", in: 1) == nil)
            try await rows.write.delete("a", in: 2)
            #expect(try await rows.read.find("a", in: 1) != nil)
            for _ in 0..<2 { try await rows.write.delete("a", in: 1) }
            #expect(try await rows.read.find("a", in: 1) == nil)
        }
    }

    @Test(arguments: engines) func theyAreOnAnOwnersAccount(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            #expect(try await rows.read.bytes(of: "ann") == 0)
            try await rows.write.put(Self.document("a"), in: 1, owner: "ann", now: 10)
            #expect(try await rows.read.bytes(of: "ann") == 103, "the body, the id and a hundred")
            try await rows.write.put(Self.document("a", body: #"{"x":1}"#), in: 1, owner: "ann", now: 20)
            #expect(try await rows.read.bytes(of: "ann") == 108)
            // Another user writes it from now on.
            try await rows.write.put(Self.document("a"), in: 1, owner: "bob", now: 30)
            #expect(try await rows.read.bytes(of: "ann") == 0)
            #expect(try await rows.read.bytes(of: "bob") == 103)
            try await rows.write.delete("a", in: 1)
            #expect(try await rows.read.bytes(of: "bob") == 0)
            try await rows.write.put(Self.document("a"), in: 1, owner: "", now: 40)
            #expect(try await rows.read.bytes(of: "") == 0, "those of administrators are not counted")
        }
    }

    @Test(arguments: engines) func thoseOfAgesAgoAreDeleted(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            for (id, time) in [("a", 10), ("b", 20), ("c", 30)] as [(String, Int64)] {
                try await rows.write.put(Self.document(id), in: 1, owner: "ann", now: time)
            }
            try await rows.write.put(Self.document("a"), in: 1, owner: "ann", now: 40)
            try await rows.write.deleteUntouched(since: 30)
            #expect(try await rows.read.find("a", in: 1) != nil, "it was written again")
            #expect(try await rows.read.find("b", in: 1) == nil)
            #expect(try await rows.read.find("c", in: 1) != nil)
            #expect(try await rows.read.bytes(of: "ann") == 206)
        }
    }
}
