@testable import DocumentStore
import Foundation
import GRDB
import SQLiteStorage
import SealedSQLite
import Testing

@Suite struct PageSizeTests {
    private func pageSize(of file: URL) throws -> Int {
        let queue = try ConnectionSettings(busyTimeout: 1, readers: 1).reader(file.path)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "PRAGMA page_size") ?? 0 }
    }

    @Test func aNewDatabaseHasLargePages() throws {
        let folder = try TestFolder()
        try folder.open().close()
        #expect(try pageSize(of: folder.databaseFolder().appendingPathComponent("database.sqlite3")) == 8 * 1024)
    }

    /// As an earlier version made it.
    private func makeSmallPages(in folder: TestFolder) throws -> URL {
        let files = folder.databaseFolder()
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let file = files.appendingPathComponent("database.sqlite3")
        let queue = try ConnectionSettings(busyTimeout: 1, readers: 1).queue(file.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a); DROP TABLE t") }
        try queue.close()
        #expect(try pageSize(of: file) == 4 * 1024)
        return file
    }

    /// Nothing is copied when it is opened or compacted.
    @Test func anExistingDatabaseKeepsItsPages() throws {
        let folder = try TestFolder()
        let file = try makeSmallPages(in: folder)
        let database = try folder.open()
        let collection = try database.createCollection(name: "notes")
        try collection.save(document: MutableDocument(id: "a", data: ["text": "kept"]))
        try database.performMaintenance(type: .compact)
        #expect(try collection.document(id: "a")?.string(forKey: "text") == "kept")
        try database.close()
        #expect(try pageSize(of: file) == 4 * 1024)
    }

    /// SQLite writes pages of another size then.
    @Test func anExistingDatabaseIsEncryptedAndDecrypted() throws {
        let folder = try TestFolder()
        let file = try makeSmallPages(in: folder)
        let database = try folder.open()
        try database.createCollection(name: "notes").save(document: MutableDocument(id: "a", data: ["text": "kept"]))
        try database.changeEncryptionKey(.key(Data(repeating: 7, count: 32)))
        #expect(try database.collection(name: "notes")?.document(id: "a")?.string(forKey: "text") == "kept")
        try database.changeEncryptionKey(nil)
        #expect(try database.collection(name: "notes")?.document(id: "a")?.string(forKey: "text") == "kept")
        try database.close()
        #expect(try pageSize(of: file) == SealedFileLimits.pageSize)
    }
}
