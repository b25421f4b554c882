import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Documents without branches. Their entries in the channels' lists are in the suites of whole stores.
@Suite(.timeLimit(.minutes(1))) struct DocumentRowTests {
    typealias Rows = (read: any DocumentRows, write: any DocumentWrites)

    static let engines = RowEngine<Rows>.all { ($0.reader.documents, $0.documents) }

    private static func insert(_ ids: [String], in collection: Int64 = 1, with rows: Rows) async throws {
        for (index, id) in ids.enumerated() {
            try await rows.write.insert(.test(.test(1), at: UInt64(index) + 1), id: id, in: collection)
        }
    }

    @Test(arguments: engines) func aRowIsReadAsItWasWritten(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let grants = DocumentGrants(channels: ["ann": ["c1"]], roles: ["bob": ["r"]])
            let row = DocumentRow.test(.test(1), at: 1, channels: ["c1"], expires: 99, grants: grants)
            let number = try await rows.write.insert(row, id: "d", in: 7)
            let found = try await rows.read.find("d", in: 7)
            #expect(found?.number == number && found?.id == "d" && found?.sequence == 1 && found?.expires == 99)
            #expect(found?.revision == .test(1) && found?.tree.isLine == true && found?.isDeleted == false)
            #expect(found?.channels == DocumentChannels(current: ["c1": 1]) && found?.grants == grants)
            #expect(found?.body == Array(#"{"a":1}"#.utf8))
            #expect(try await rows.read.number(of: "d", in: 7) == number)
            #expect(try await rows.read.find(number: number)?.id == "d")
            #expect(try await rows.read.find("d", in: 8) == nil)
            #expect(try await rows.read.find("d", in: 7, bodies: .none)?.body == [])
            #expect(try await rows.read.find("d", in: 7, bodies: .upTo(6))?.body == [])
            #expect(try await rows.read.find("d", in: 7, bodies: .upTo(7))?.body.count == 7)
        }
    }

    /// One code point or two: Swift's `String` takes them for the same.
    @Test(arguments: engines) func idsAreComparedByTheirBytes(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let ids = ["caf\u{E9}", "cafe\u{301}", "CAF\u{E9}", "a", "a\u{0}b"]
            try await Self.insert(ids, with: rows)
            #expect(try await rows.read.sequences(of: ids + ["none"], in: 1) == [1, 2, 3, 4, 5, nil])
            let heads = try await rows.read.heads(of: ids + ["none"], in: 1)
            #expect(heads.map { $0?.revision } == ids.map { _ in .test(1) } + [nil])
            let last = try await rows.read.page(in: 1, after: 0, limit: 9).last
            #expect(last.map { Array($0.id.utf8) } == [0x61, 0, 0x62])
        }
    }

    @Test(arguments: engines) func aRowIsReplacedAndDeleted(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let number = try await rows.write.insert(.test(.test(1), at: 1, channels: ["a"]), id: "d", in: 1)
            try await rows.write.replace(
                number: number, at: 1, with: .test(.test(2), at: 2, isDeleted: true, body: "{}"), leaving: ["a"], in: 1)
            var found = try await rows.read.find("d", in: 1)
            #expect(found?.number == number && found?.sequence == 2)
            #expect(found?.revision == .test(2) && found?.isDeleted == true)
            try await rows.write.replaceAccess(
                by: DocumentRowChange(
                    target: .row(number: number, sequence: 2),
                    row: .test(.test(9), at: 3, channels: ["b"], expires: 5), entries: .test(entered: ["b"])), in: 1)
            found = try await rows.read.find("d", in: 1)
            // Only the sequence, the channels, the grants and the expiry have changed.
            #expect(found?.channels == DocumentChannels(current: ["b": 3]) && found?.expires == 5)
            #expect(found?.sequence == 3 && found?.tree.contains(.test(9)) == false)
            #expect(found?.revision == .test(2) && found?.isDeleted == true && found?.body == Array("{}".utf8))
            try await rows.write.delete(number: number)
            #expect(try await rows.read.find("d", in: 1) == nil)
            #expect(try await rows.read.isEmpty(collection: 1))
        }
    }

    @Test(arguments: engines) func anIDIsUniqueInItsCollection(on engine: RowEngine<Rows>) async throws {
        await #expect(throws: (any Error).self) {
            try await engine.run { rows in
                try await Self.insert(["a"], in: 2, with: rows)
                try await Self.insert(["a", "b"], with: rows)
                #expect(try await rows.read.page(in: 1, after: 0, limit: 9).count == 2)
                try await rows.write.insert(.test(.test(1), at: 3), id: "b", in: 1)
                Issue.record("a second row of one id")
            }
        }
    }

    @Test(arguments: engines) func pagesAreInTheirOrder(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let ids = ["b", "a", "\u{10FFFF}", "B", "z"]
            for collection in [1, 2] as [Int64] { try await Self.insert(ids, in: collection, with: rows) }
            // As they came.
            let first = try await rows.read.page(in: 1, after: 0, limit: 3)
            #expect(first.map(\.id) == ["b", "a", "\u{10FFFF}"])
            let last = first.last?.number ?? 0
            #expect(try await rows.read.page(in: 1, after: last, limit: 3).map(\.id) == ["B", "z"])
            // By the bytes of their ids.
            func sorted(from start: String?, through end: String?, limit: Int = 9) async throws -> [String] {
                var found: [String] = []
                try await rows.read.forEach(in: 1, from: start, through: end, bodies: .none) { document in
                    found.append(document.id)
                    return found.count < limit
                }
                return found
            }
            #expect(try await sorted(from: nil, through: nil) == ["B", "a", "b", "z", "\u{10FFFF}"])
            #expect(try await sorted(from: "a", through: "b") == ["a", "b"])
            #expect(try await sorted(from: "b", through: nil, limit: 1) == ["b"])
        }
    }

    /// A body may wait, and read the same documents again.
    @Test(arguments: engines) func aWalkWithinAWalkEndsNeither(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let ids = ["a", "b", "c"]
            try await Self.insert(ids, with: rows)
            var walks: [[String]] = []
            try await rows.read.forEach(in: 1, from: nil, through: nil, bodies: .all) { outer in
                var walk = [outer.id]
                await Task.yield()
                try await rows.read.forEach(in: 1, from: "b", through: nil, bodies: .all) { inner in
                    walk.append(inner.id)
                    return true
                }
                walks.append(walk)
                return walks.count < 9
            }
            #expect(walks == ids.map { [$0, "b", "c"] })
        }
    }

    @Test(arguments: engines) func whatIsDueIsFoundInItsOrder(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            for (id, expires) in [("a", 30), ("b", 10), ("c", nil), ("d", 20), ("e", 10)] as [(String, Int64?)] {
                try await rows.write.insert(.test(.test(1), at: 1, expires: expires), id: id, in: 1)
            }
            let due = try await rows.read.due(by: 20, after: nil, limit: 5)
            var ids: [String?] = []
            for document in due { ids.append(try await rows.read.find(number: document.number)?.id) }
            #expect(ids == ["b", "e", "d"] && due.map(\.expires) == [10, 10, 20])
            for index in due.indices {
                let rest = try await rows.read.due(by: 20, after: due[index], limit: 5)
                #expect(rest == Array(due.dropFirst(index + 1)))
            }
            #expect(try await rows.read.due(by: 99, after: nil, limit: 1) == [due[0]])
            #expect(try await rows.read.nextExpiry() == 10)
        }
    }
}
