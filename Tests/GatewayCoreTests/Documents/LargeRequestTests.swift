import DocumentValues
import Foundation
import SyncProtocol
import Testing

@testable import GatewayCore

/// The memory and work of one request are limited, and not only by the number of its rows.
@Suite(.timeLimit(.minutes(1))) struct LargeRequestTests {
    private static let ids = ["a", "b", "c", "d", "e"]

    /// Writes documents so large that two fill a page.
    private static func fill(_ test: TestDatabase) async throws {
        let text = String(repeating: "x", count: GatewayLimits.pageOfDocuments * 6 / 10)
        for id in ids { try await test.put(id, ["text": .string(text)]) }
    }

    // MARK: Lists with documents

    @Test func aListEndsWhereItsDocumentsGetLarge() async throws {
        try await TestDatabase.run { test in
            try await Self.fill(test)
            func page(_ request: AllDocumentsRequest) async throws -> AllDocumentsPage {
                try await test.database.documents.allDocuments(request, in: TestDatabase.collection, as: .admin)
            }
            let often = try await page(
                AllDocumentsRequest(keys: Array(repeating: "a", count: 200), includesDocuments: true))
            #expect(often.rows.count == 2 && often.isFull)
            let all = try await page(AllDocumentsRequest(includesDocuments: true))
            #expect(all.rows.count == 2 && all.isFull)
            let end = try await page(AllDocumentsRequest(startKey: "e", includesDocuments: true))
            #expect(end.rows.count == 1 && !end.isFull)
            let without = try await page(AllDocumentsRequest())
            #expect(without.rows.count == 5 && !without.isFull)
        }
    }

    /// The list has no documents that the user may not see, and reading past them takes no longer than a page.
    @Test func aPageEndsAfterSoManyDocumentsThatWereLookedAt() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let count = GatewayLimits.looksOfPage + 3
            let writes = (0..<count).map { number in
                DocumentWrite(
                    id: "d\(1_000_000 + number)",
                    body: Array(#"{"channels":["\#(number == count - 1 ? "!" : "x")"]}"#.utf8))
            }
            for result in await test.database.documents.write(writes, in: TestDatabase.collection, as: .admin) {
                _ = try result.get()
            }
            func page(_ request: AllDocumentsRequest) async throws -> AllDocumentsPage {
                try await test.database.documents.allDocuments(
                    request, in: TestDatabase.collection, as: .user("ann"))
            }
            let first = try await page(AllDocumentsRequest())
            #expect(first.rows.isEmpty && first.isFull)
            let last = try #require(first.last)
            let second = try await page(AllDocumentsRequest(startKey: last + "\0", includesDocuments: true))
            #expect(second.rows.count == 1 && !second.isFull)
            guard case .document(let document)? = second.rows.first else {
                Issue.record("no document")
                return
            }
            #expect(document.body == Array(#"{"channels":["!"]}"#.utf8))
        }
    }

    @Test(arguments: [nil, LargeRequestTests.ids]) func aFeedsPageEndsWhereItsDocumentsGetLarge(ids: [String]?)
        async throws
    {
        try await TestDatabase.run { test in
            try await Self.fill(test)
            let feed = try test.database.feeds.changes(
                ChangesRequest(collection: TestDatabase.collection, documentIDs: ids, includesDocuments: true),
                as: .admin)
            var reported: [String] = []
            var batch: ChangesBatch
            repeat {
                batch = try await feed.next(limit: 500)
                #expect(batch.rows.count <= 2)
                #expect(batch.rows.allSatisfy { $0.document != nil })
                reported += batch.rows.map(\.id)
            } while !batch.isCaughtUp && reported.count < 10
            #expect(reported == Self.ids)
        }
    }

    // MARK: One document many times

    @Test func manyRowsOfOneDocument() async throws {
        try await TestDatabase.run { test in
            let write = DocumentWrite(id: "same", body: Array("{}".utf8))
            let results = await test.database.documents.write(
                Array(repeating: write, count: 20_000), in: TestDatabase.collection, as: .admin)
            let first = try results[0].get()
            #expect(first.sequence == 1)
            let others = Set(
                results.dropFirst().map { result -> GatewayError? in
                    guard case .failure(let error) = result else { return nil }
                    return error
                })
            #expect(others == [.documentExists])
        }
    }

    /// Each row is checked against the state after the rows before it, whether those were stored or refused.
    @Test func rowsOfOneDocumentComeInTheirOrder() async throws {
        try await TestDatabase.run { test in
            func row(_ id: String, _ body: JSONValue) -> DocumentWrite {
                DocumentWrite(id: id, body: body.bytes, edit: .existingInBody)
            }
            let results = await test.database.documents.write(
                [
                    row("a", ["_rev": "1-a"]), row("a", ["_rev": "1-b"]), row("b", ["_rev": "1-x"]),
                    row("a", ["_rev": "1-a"]), row("a", ["_rev": "2-c", "forbidden": "no"]),
                    row("a", ["_revisions": ["start": 2, "ids": ["d", "a"]], "forbidden": "no"]),
                    row("a", ["_revisions": ["start": 2, "ids": ["e", "a"]]]),
                    row("a", ["_revisions": ["start": 2, "ids": ["f", "a"]]]),
                    row("a", ["_revisions": ["start": 3, "ids": ["g", "e", "a"]]]),
                ], in: TestDatabase.collection, as: .admin)
            let reported = results.map { result in
                switch result {
                case .success(let outcome): "\(outcome.revision)\(outcome.sequence == nil ? " known" : "")"
                case .failure(let error): "\(error.status)"
                }
            }
            #expect(reported == ["1-a", "409", "1-x", "1-a known", "409", "403", "2-e", "409", "3-g"])
        }
    }

    /// In a process of its own, in which nothing else takes memory.
    @Test func manyAnnouncementsOfOneDocument() async {
        await #expect(processExitsWith: .success) { try await LargeRequestTests.announceOneDocument() }
    }

    private static func announceOneDocument() async throws {
        try await TestDatabase.run(["allow_conflicts": true]) { test in
            try await test.put("same", [:])
            let digest = String(repeating: "d", count: 32)
            let history = (1...10_000).map { "\($0)-\(digest)" }
            try await test.replaceStored("same", tree: try RevisionTree(stored: history.joined(separator: " ")))
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            let row = ChangeRow(sequence: "1", documentID: "same", revision: "10001-x")
            let before = try largestSize()
            let answers = try await backend.checkAnnounced(Array(repeating: row, count: 100), collection: 0)
            #expect(answers == Array(repeating: .wanted(ancestors: ["10000-\(digest)"]), count: 100))
            // All trees together take a hundred megabytes.
            let after = try largestSize()
            #expect(after < before + (40 << 20), "\(before) \(after)")
        }
    }

    /// The peak memory of this process, in bytes.
    private static func largestSize() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let kilobytes = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.output.1) }
        return try #require(kilobytes) << 10
    }

    // MARK: Attachments

    @Test func attachmentsAreCounted() async throws {
        try await TestDatabase.run { test in
            func attachments(_ count: Int, _ entry: (Int) -> JSONValue) -> JSONValue {
                let members = (0..<count).map { JSONObject.Member(key: "a\($0)", value: entry($0)) }
                return ["_attachments": .object(JSONObject(members: members))]
            }
            let most = GatewayLimits.attachmentsPerDocument
            func content(_ number: Int) -> JSONValue { ["data": .string(Base64.encode(Array("\(number)".utf8)))] }
            await #expect(throws: GatewayError.tooManyAttachments) {
                try await test.put("d", attachments(most + 1, content))
            }
            try await test.put("d", attachments(most, content))
            try await test.put("d", attachments(most) { _ in ["stub": true] })
            #expect(try await test.details("d").revision.attachments?.count == most)
            #expect(try await test.count(.attachments) == most)
        }
    }
}
