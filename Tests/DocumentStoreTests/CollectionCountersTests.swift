import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// How many documents a collection has, and the number of its last change, which the row of the newest document has.
@Suite struct CollectionCountersTests {
    private let folder: TestFolder
    private var database: DocumentStore.Database
    private var notes: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.defaultCollection()
    }

    private mutating func reopen() throws {
        try database.close()
        database = try folder.open()
        notes = try database.defaultCollection()
    }

    /// The sequence in the table of collections.
    private func catalogued() throws -> Int64? {
        try database.core().read { try Int64.fetchOne($0, sql: "SELECT last_sequence FROM collections WHERE id = 1") }
    }

    private func expect(count: UInt64, last: UInt64) throws {
        #expect(notes.count == count)
        #expect(try notes.lastSequence() == last)
    }

    /// The page of the catalogue would be a third of what a durable save writes.
    @Test mutating func savesAndDeletionsAreCountedWithoutTheCatalogue() throws {
        for id in ["a", "b", "c"] { try notes.put(id, [:]) }
        try notes.put("a", ["n": 1])
        try expect(count: 3, last: 4)
        try notes.delete(document: try #require(try notes.document(id: "b")))
        try expect(count: 2, last: 5)
        #expect(try catalogued() == 0)
        try reopen()
        try expect(count: 2, last: 5)
        try notes.put("b", [:])
        try expect(count: 3, last: 6)
    }

    /// Its sequence must not be used again: who has read the changes up to it would miss the next one.
    @Test mutating func afterAPurgeOfTheNewestTheSequencesGoOn() throws {
        for id in ["a", "b"] { try notes.put(id, [:]) }
        try notes.purge(id: "b")
        try expect(count: 1, last: 3)
        try reopen()
        try expect(count: 1, last: 3)
        try notes.purge(id: "a")
        try reopen()
        try expect(count: 0, last: 4)
        try notes.put("c", [:])
        try expect(count: 1, last: 5)
        #expect(try notes.document(id: "c")?.sequence == 5)
    }

    @Test mutating func aPartThatIsRolledBackDoesNotCount() throws {
        struct Refusal: Error {}
        try notes.put("a", [:])
        try database.inBatch {
            try notes.put("b", [:])
            #expect(throws: Refusal.self) {
                try database.inBatch {
                    try notes.put("c", [:])
                    try notes.purge(id: "a")
                    throw Refusal()
                }
            }
            try expect(count: 2, last: 2)
        }
        try reopen()
        try expect(count: 2, last: 2)
        try database.performMaintenance(type: .integrityCheck)
    }

    /// A date of expiration takes a sequence of no document.
    @Test mutating func anExpirationIsCounted() throws {
        try notes.put("a", [:])
        try notes.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: 3600))
        try expect(count: 1, last: 2)
        try reopen()
        try expect(count: 1, last: 2)
        try notes.put("b", [:])
        try expect(count: 2, last: 3)
    }

    /// Rows of a version that wrote the counters into the catalogue.
    @Test mutating func aCollectionOfAnEarlierVersionGoesOn() throws {
        for id in ["a", "b"] { try notes.put(id, [:]) }
        try database.close()
        let file = try DatabaseQueue(path: folder.databaseFolder().appendingPathComponent("database.sqlite3").path)
        try file.write { db in
            try db.execute(
                sql: """
                    ALTER TABLE documents_1 DROP COLUMN live_documents;
                    UPDATE collections SET last_sequence = 2, live_documents = 2 WHERE id = 1;
                    DELETE FROM grdb_migrations WHERE identifier LIKE 'store-0005-%';
                    """)
        }
        try file.close()
        database = try folder.open()
        notes = try database.defaultCollection()
        try expect(count: 2, last: 2)
        try notes.put("c", [:])
        try expect(count: 3, last: 3)
        try database.performMaintenance(type: .integrityCheck)
    }
}
