import DocumentValues
import Foundation
import GRDB
import Testing
import WorkCount

@testable import DocumentStore

/// What callers and files give that makes no sense ends no program: it gets an error, or has no effect.
@Suite struct BadInputTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `nil` where it is no error.
        let code: StoreError.Code?
        let work: @Sendable (DocumentStore.Database, DocumentStore.Collection) throws -> Void

        init(
            _ description: String, _ code: StoreError.Code?,
            _ work: @escaping @Sendable (DocumentStore.Database, DocumentStore.Collection) throws -> Void
        ) {
            testDescription = description
            self.code = code
            self.work = work
        }
    }

    /// Returns more than it was asked for.
    private final class LyingStream: InputStream {
        override func open() {}
        override func close() {}
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int { maxLength + 1 }
    }

    private static let dates: [Case] = [
        Case("no date of expiry", .invalidParameter) {
            try $1.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSince1970: .nan))
        },
        Case("an expiry that never comes", .invalidParameter) {
            try $1.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSince1970: .infinity))
        },
        Case("an expiry beyond all dates", nil) {
            try $1.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSince1970: 1e300))
            let kept = try $1.getDocumentExpiration(id: "a")
            #expect(kept != nil)
        },
        Case("an expiry of a document that is not there", .notFound) {
            try $1.setDocumentExpiration(id: "b", expiration: Date.distantFuture)
        },
    ]

    private static let names: [Case] = [
        Case("a collection without a name", .invalidParameter) { database, _ in
            _ = try database.createCollection(name: "")
        },
        Case("a collection with a NUL", .invalidParameter) { database, _ in
            _ = try database.createCollection(name: "a\0b")
        },
        Case("a long collection", .invalidParameter) { database, _ in
            _ = try database.createCollection(name: String(repeating: "a", count: 100_000))
        },
        Case("a document without an id", .badDocumentID) { try $1.save(document: MutableDocument(id: "")) },
        Case("a long id", .badDocumentID) {
            try $1.save(document: MutableDocument(id: String(repeating: "a", count: 100_000)))
        },
        Case("ids after a long one, fewer than none", nil) {
            let after = try $1.documentIDs(after: String(repeating: "z", count: 100_000), limit: -1)
            let few = try $1.documentIDs(limit: .min)
            #expect(after.isEmpty && few.count <= 1)
        },
        Case("the history of what is not there", nil) {
            let history = try $1.revisionHistory(id: "\0")
            #expect(history.isEmpty)
        },
        Case("purging what is not there", .notFound) { try $1.purge(id: "\0") },
        Case("a database with a path for a name", .invalidParameter) { _, _ in
            _ = try DocumentStore.Database(name: "../a", config: DatabaseConfiguration())
        },
        Case("quarantined documents that are not there", .notFound) { database, _ in
            try database.restoreQuarantinedDocument(.min)
        },
        Case("refusals that are not there", .notFound) { database, _ in try database.acknowledgeRejection(.min) },
    ]

    /// Whatever it is about, an error is a line of some length.
    @Test func errorsAreShortAndHoldNoControls() throws {
        let folder = try TestFolder()
        let collection = try folder.open().defaultCollection()
        let long = "a\n\u{1B}" + String(repeating: "b", count: 1_000_000)
        let thrown = #expect(throws: StoreError.self) { try collection.save(document: MutableDocument(id: long)) }
        let error = try #require(thrown)
        #expect(error.context["document"] == long)
        #expect(error.description.utf8.count < 2_000 && !error.description.contains { $0.isNewline || $0 == "\u{1B}" })
    }

    private static let contents: [Case] = [
        Case("a stream that returns more than was asked for", .ioError) {
            try $1.put("blob", ["b": Blob(contentType: "a/b", contentStream: LyingStream(data: Data()))])
        },
        Case("a file that is a folder", .invalidParameter) {
            try $1.put("blob", ["b": try Blob(contentType: "a/b", fileURL: URL(fileURLWithPath: "/"))])
        },
        Case("a blob's address that is no file's", .invalidParameter) { _, _ in
            _ = try Blob(contentType: "a/b", fileURL: try #require(URL(string: "http://h/x")))
        },
        Case("numbers beyond all integers", nil) {
            let saved = try $1.put("n", ["big": 1e300, "small": -1e300, "most": UInt64.max])
            #expect(saved.int(forKey: "big") == .max && saved.int64(forKey: "small") == .min)
            #expect(saved.number(forKey: "most")?.uint64Value == .max)
            #expect(saved.float(forKey: "big") == .infinity)
        },
        Case("indexes outside an array", nil) {
            let list = MutableArrayObject(data: [1])
            #expect(list.value(at: -1) == nil && list.value(at: .max) == nil && list.int(at: .min) == 0)
            #expect($1[""].exists == false)
        },
        Case("half of a character", .invalidParameter) { _, _ in
            _ = try MutableDocument(id: "a", json: #"{"a":["\ud800"]}"#)
        },
        Case("half of a character in an array", .invalidParameter) { _, _ in
            _ = try MutableArrayObject(json: #"["\udc00"]"#)
        },
        Case("text that is no JSON", .invalidParameter) { _, _ in _ = try MutableArrayObject(json: "[\u{0}") },
    ]

    private static let batches: [Case] = [
        Case("closing inside a batch", .invalidParameter) { database, _ in
            try database.inBatch { try database.close() }
        },
        Case("deleting inside a batch", .invalidParameter) { database, _ in
            try database.inBatch { try database.delete() }
        },
        Case("maintenance inside a batch", .invalidParameter) { database, _ in
            try database.inBatch { try database.performMaintenance(type: .compact) }
        },
        Case("collections inside a batch inside a batch", nil) { database, collection in
            try database.inBatch {
                try database.inBatch {
                    let made = try database.createCollection(name: "made")
                    try made.put("x", [:])
                    try database.deleteCollection(name: "made")
                    #expect(throws: (any Error).self) { try made.put("y", [:]) }
                }
                let ids = try collection.documentIDs()
                #expect(ids == ["a"])
            }
        },
        Case("closing twice", nil) { database, collection in
            try database.close()
            try database.close()
            #expect(throws: StoreError.self) { try collection.put("x", [:]) }
            #expect(collection.count == 0 && database.path == nil)
        },
    ]

    @Test(arguments: dates + names + contents + batches) private func isAnsweredWithAnError(_ one: Case) throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let collection = try database.defaultCollection()
        try collection.put("a", [:])
        do {
            try one.work(database, collection)
            #expect(one.code == nil)
        } catch let error as StoreError {
            #expect(error.code == one.code, "\(error)")
        }
    }

    /// Numbers below 0, which no version writes.
    @Test func aFileWithNumbersThatMakeNoSenseIsRead() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        try database.defaultCollection().put("a", ["n": 1])
        try database.close()
        let file = try DatabaseQueue(path: folder.databaseFolder().appendingPathComponent("database.sqlite3").path)
        try file.write { db in
            try db.execute(sql: "UPDATE collections SET last_sequence = -1, live_documents = -5")
            try db.execute(sql: "UPDATE documents_1 SET timestamp = -1, live_documents = -5")
        }
        try file.close()
        let collection = try folder.open().defaultCollection()
        #expect(collection.count == 0)
        #expect(try collection.document(id: "a")?.timestamp == 0)
    }

    /// Lists ask for tombstones with each list of findings: live documents are not looked at for them.
    @Test(.timeLimit(.minutes(2))) func tombstonesAreFoundWithoutTheLiveDocuments() async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(1_000) { (count: Int) throws -> (TestFolder, DocumentStore.Collection) in
            let folder = try TestFolder()
            let collection = try folder.open().defaultCollection()
            try collection.save(bodies: (0..<count).map { (id: "live\($0)", body: Array("{}".utf8)) })
            let gone = try collection.put("gone", [:])
            try collection.delete(document: gone)
            return (folder, collection)
        } work: { input in
            let deleted = try input.1.deletedIDs()
            #expect(deleted == ["gone"])
        }
        #expect(growth.work.allSatisfy { $0[.sqlite, default: 0] <= 5 }, "\(growth)")
    }

    /// A collection that an earlier version made gets the index, too.
    @Test func indexesThatAreMissingAreMade() throws {
        let folder = try TestFolder()
        try folder.open().close()
        let file = try DatabaseQueue(path: folder.databaseFolder().appendingPathComponent("database.sqlite3").path)
        try file.write { try $0.execute(sql: "DROP INDEX documents_1_deleted") }
        try file.close()
        let database = try folder.open()
        let names = try database.core().read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        }
        #expect(names.contains("documents_1_deleted"))
    }
}
