import DocumentValues
import Foundation
import GRDB
import Testing

@testable import GatewayCore

/// Content that was purged or deleted for good is not in any file of the store any more.
@Suite(.timeLimit(.minutes(2))) struct ErasureTests {
    /// The store's files that have a text in them.
    private func files(of test: TestDatabase, with text: String) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: test.folder)?.compactMap { $0 as? String } ?? []
        return try files.filter { file in
            var isFolder: ObjCBool = false
            let path = test.folder + "/" + file
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                return false
            }
            return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil
        }
    }

    @Test func purgedDocumentsAreGone() async throws {
        try await TestDatabase.run { test in
            let ids = (0..<40).map { "d\($0)" }
            let pad = String(repeating: "p", count: 2_000)
            for id in ids { try await test.put(id, ["v": "PURGEDTEXT", "pad": .string(pad)]) }
            try await test.put("d0", ["v": "PURGEDTEXT again"])
            #expect(try !files(of: test, with: "PURGEDTEXT").isEmpty)
            _ = try await test.database.documents.purge(ids, in: TestDatabase.collection)
            #expect(try files(of: test, with: "PURGEDTEXT") == [])
        }
    }

    @Test func deletedLocalDocumentsAreGone() async throws {
        try await TestDatabase.run { test in
            let collection = TestDatabase.collection
            let body = Array(#"{"v":"LOCALTEXT"}"#.utf8)
            _ = try await test.database.documents.putLocalDocument(
                "x", body: body, revision: nil, in: collection, as: .admin)
            #expect(try !files(of: test, with: "LOCALTEXT").isEmpty)
            try await test.database.documents.deleteLocalDocument("x", revision: "0-1", in: collection, as: .admin)
            #expect(try files(of: test, with: "LOCALTEXT") == [])
        }
    }

    @Test func deletedUsersAreGone() async throws {
        try await TestDatabase.run { test in
            let user: JSONValue = ["password": "letmein", "email": "SOMEBODY@example.org"]
            _ = try await test.database.principals.putUser("carol", json: user.bytes)
            #expect(try !files(of: test, with: "SOMEBODY").isEmpty)
            try await test.database.principals.deleteUser("carol")
            #expect(try files(of: test, with: "SOMEBODY") == [])
        }
    }

    /// If the lists beside the database cannot be written at once, housekeeping writes them.
    @Test func whatIsErasedIsErasedWhereAListCannotBeWritten() async throws {
        try await TestDatabase.run { test in
            let user: JSONValue = ["password": "letmein"]
            _ = try await test.database.principals.putUser("carol", json: user.bytes)
            _ = try await test.put("a", ["v": 1])
            let lists = [SignInRecord.fileName, RefusalRecord.fileName].map { "\(test.database.store.folder)/\($0)" }
            // Nothing replaces a folder that is not empty.
            for list in lists {
                try FileManager.default.createDirectory(atPath: list + "/x", withIntermediateDirectories: true)
            }
            test.database.principals.noteSignIn(of: "carol", agent: "laptop")
            _ = test.database.refusals.add(
                RefusedDocument(
                    time: test.now, user: "carol", collection: "\(TestDatabase.collection)", document: "a", status: 403,
                    reason: "no"))
            #expect(try await test.database.documents.purge(["a"], in: TestDatabase.collection) == ["a"])
            try await test.database.principals.deleteUser("carol")
            await #expect(throws: GatewayError.missing) { try await test.database.principals.deleteUser("carol") }
            for list in lists { try FileManager.default.removeItem(atPath: list) }
            await test.maintain()
            for list in lists {
                #expect(try String(contentsOfFile: list, encoding: .utf8) == "[]")
            }
        }
    }

    /// When a user who leaves is deleted, the operator still needs to know which of the user's work never arrived.
    @Test func whatWasRefusedOfADeletedUserStaysListed() async throws {
        try await TestDatabase.run { test in
            let user: JSONValue = ["password": "letmein"]
            _ = try await test.database.principals.putUser("carol", json: user.bytes)
            _ = test.database.refusals.add(
                RefusedDocument(
                    time: test.now, user: "carol", collection: "\(TestDatabase.collection)", document: "a", status: 403,
                    reason: "no"))
            try await test.database.principals.deleteUser("carol")
            #expect(test.database.refusals.entries.map(\.user) == ["carol"])
        }
    }

    /// If the disk has no room for erasing all of them, the first ones are erased, and no copy of these is left.
    @Test func whatIsErasedOfAPurgeThatFailsIsGone() async throws {
        try await TestDatabase.run { test in
            let documents = test.database.documents
            for id in ["a", "b"] {
                try await test.put(id, ["v": 1])
                _ = documents.refusals.add(
                    RefusedDocument(
                        time: test.now, user: "carol", collection: "\(TestDatabase.collection)", document: id,
                        status: 403, reason: "no"))
            }
            let replaced = try await test.details("a").revision.revision
            try await test.put("a", ["v": 2])
            let key = try await test.database.store.read { store in
                try await store.documents.find("a", in: 1)
            }
            let old = RevisionCache.Key(try #require(key), revision: replaced)
            #expect(documents.revisions[old] != nil)
            try await Self.leaveNoRoom(toErase: "b", in: test.database.store)
            await #expect { try await documents.purge(["a", "b"], in: TestDatabase.collection) } throws: {
                GatewayError($0) == .diskFull
            }
            await #expect(throws: GatewayError.missing) { try await test.details("a") }
            #expect(documents.revisions[old] == nil)
            #expect(documents.refusals.entries.map(\.document) == ["b"])
        }
    }

    /// Simulates a disk that is full for this document alone.
    private static func leaveNoRoom(toErase id: String, in store: any GatewayStore) async throws {
        try await store.write { transaction in
            let function = DatabaseFunction("no_room", argumentCount: 0) { _ in
                throw DatabaseError(resultCode: .SQLITE_FULL)
            }
            try transaction.db.add(function: function)
            try transaction.db.execute(
                sql: """
                    CREATE TEMP TRIGGER purge_fails BEFORE DELETE ON main.documents WHEN old.id = '\(id)'
                    BEGIN SELECT no_room(); END
                    """)
        }
    }

    /// A reader of an older state keeps the log from being emptied; the next round of housekeeping empties it.
    @Test func aReaderPutsItOffOnly() async throws {
        try await TestDatabase.run { test in
            try await test.put("a", ["v": "PURGEDTEXT"])
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let (ended, end) = AsyncStream<Void>.makeStream()
            let semaphore = DispatchSemaphore(value: 0)
            let reading = Task {
                try await test.database.store.read { store in
                    _ = try await store.documents.find("a", in: 1)
                    begin.finish()
                    semaphore.hold()
                }
                end.finish()
            }
            for await _ in begun {}
            _ = try await test.database.documents.purge(["a"], in: TestDatabase.collection)
            semaphore.signal()
            for await _ in ended {}
            try await reading.value
            try await test.database.store.upkeep?.emptyLogIfDue()
            #expect(try files(of: test, with: "PURGEDTEXT") == [])
        }
    }
}
