import DocumentValues
import Testing

@testable import GatewayCore

/// Checkpoints: revisions of their own, without history or feed.
@Suite(.timeLimit(.minutes(1))) struct LocalDocumentTests {
    private func put(_ test: TestDatabase, _ text: String, _ revision: String?) async throws -> String {
        try await test.database.documents.putLocalDocument(
            "checkpoint/c", body: Array(text.utf8), revision: revision, in: TestDatabase.collection, as: .admin)
    }

    @Test(arguments: StoreEngine.allCases) func revisionsCount(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            #expect(try await put(test, #"{"n":1,"_rev":"x"}"#, nil) == "0-1")
            #expect(try await put(test, #"{"n":2}"#, "0-1") == "0-2")
            await #expect(throws: GatewayError.localConflict) { try await put(test, "{}", "0-1") }
            await #expect(throws: GatewayError.localConflict) { try await put(test, "{}", nil) }
            let stored = try await test.database.documents.localDocument(
                "checkpoint/c", in: TestDatabase.collection, as: .admin)
            #expect(stored.map { String(decoding: $0.body, as: UTF8.self) } == #"{"n":2}"#)
            #expect(test.database.lastSequence == 0)
            #expect(try await test.feed() == [])
        }
    }

    /// Even users without any other right may write these, so each user has a share of the disk; administrators have
    /// their own.
    @Test(arguments: StoreEngine.allCases) func aUserHasAShare(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            let (database, collection) = (test.database, TestDatabase.collection)
            func put(_ id: String, _ megabytes: Int, _ revision: String?, as requester: Requester) async throws {
                let body = Array(#"{"x":"\#(String(repeating: "y", count: megabytes << 20))"}"#.utf8)
                _ = try await database.documents.putLocalDocument(
                    id, body: body, revision: revision, in: collection, as: requester)
            }
            try await put("a", 15, nil, as: .user("ann"))
            try await put("b", 15, nil, as: .user("ann"))
            await #expect { try await put("c", 15, nil, as: .user("ann")) } throws: {
                ($0 as? GatewayError)?.status == 413
            }
            try await put("d", 15, nil, as: .user("bob"))
            for id in ["e", "f", "g"] { try await put(id, 15, nil, as: .admin) }
            // A replaced or deleted document does not count any more, whichever user replaces it.
            try await put("a", 1, "0-1", as: .user("ann"))
            try await put("c", 15, nil, as: .user("ann"))
            try await put("b", 1, "0-1", as: .user("bob"))
            try await database.documents.deleteLocalDocument("c", revision: "0-1", in: collection, as: .admin)
            try await put("c", 15, nil, as: .user("ann"))
            try await put("h", 15, nil, as: .user("ann"))
        }
    }

    @Test(arguments: StoreEngine.allCases) func deleting(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            let (database, collection) = (test.database, TestDatabase.collection)
            await #expect(throws: GatewayError.self) { try await put(test, "{}", "0-7") }
            _ = try await put(test, "{}", nil)
            await #expect(throws: GatewayError.localConflict) {
                try await database.documents.deleteLocalDocument(
                    "checkpoint/c", revision: nil, in: collection, as: .admin)
            }
            try await database.documents.deleteLocalDocument(
                "checkpoint/c", revision: "0-1", in: collection, as: .admin)
            #expect(try await database.documents.localDocument("checkpoint/c", in: collection, as: .admin) == nil)
            await #expect(throws: GatewayError.missing) {
                try await database.documents.deleteLocalDocument(
                    "checkpoint/c", revision: "0-1", in: collection, as: .admin)
            }
        }
    }
}
