import DocumentValues
import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// Edits in the quarantine of a folder whose attachments are sealed: they are sealed, too.
@Suite struct SealedQuarantineTests {
    private let folder: TestFolder
    private let database: DocumentStore.Database
    private let notes: DocumentStore.Collection
    private let store: ReplicationStore

    init() throws {
        folder = try TestFolder()
        database = try DocumentStore.Database(name: "test", config: Self.configuration(folder))
        notes = try database.defaultCollection()
        store = try ReplicationStore(database: database, remote: "wss://gateway/db")
    }

    private static func configuration(_ folder: TestFolder, key: UInt8 = 0x5A) -> DatabaseConfiguration {
        var configuration = folder.configuration
        configuration.blobStorage = SealedStorageProvider(key: key)
        return configuration
    }

    private func quarantine(_ ids: [String]) throws {
        for id in ids { try notes.put(id, ["text": "secret of \(id)"]) }
        #expect(try store.purge(ids, in: .default, quarantine: true, reason: "revoked") == ids)
    }

    private func row(_ id: String) throws -> [UInt8] {
        try database.core().read { db in
            try Data.fetchOne(db, sql: "SELECT revision FROM quarantine WHERE document_id = ?", arguments: [id]).map {
                Array($0)
            }
        } ?? []
    }

    @Test func whatIsKeptIsSealed() throws {
        try quarantine(["a", "b"])
        let kept = try database.quarantinedDocuments()
        #expect(kept.map { $0.toJSON() } == ["a", "b"].map { #"{"text":"secret of \#($0)"}"# })
        for id in ["a", "b"] {
            let bytes = try row(id)
            #expect(!bytes.isEmpty && Data(bytes).range(of: Data("secret of".utf8)) == nil)
        }
        #expect(try database.core().read { try Int.fetchOne($0, sql: "SELECT sum(is_sealed) FROM quarantine") } == 2)
        try database.restoreQuarantinedDocument(try #require(kept.first).id)
        #expect(try notes.document(id: "a")?.string(forKey: "text") == "secret of a")
        #expect(try database.quarantinedDocumentCount() == 1)
    }

    /// Rows that were exchanged are not opened as each other's.
    @Test func aRowBelongsToItsDocument() throws {
        try quarantine(["a", "b"])
        try database.core().write { transaction in
            try transaction.db.execute(
                sql: """
                    UPDATE quarantine SET revision = (SELECT revision FROM quarantine WHERE document_id = 'a')
                    WHERE document_id = 'b'
                    """)
        }
        #expect(performing: { try database.quarantinedDocuments() }, throws: isCode(.corruptData))
        var problems: [String] = []
        try database.check { problems.append($0.text) }
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("the quarantined document 2 cannot be read") == true, "\(problems)")
        #expect(try database.quarantinedDocumentCount() == 2, "they are counted all the same")
    }

    @Test func withAnotherKeyNothingIsOpened() throws {
        try quarantine(["a"])
        try database.close()
        let other = try DocumentStore.Database(name: "test", config: Self.configuration(folder, key: 1))
        #expect(performing: { try other.quarantinedDocuments() }, throws: isCode(.corruptData))
        #expect(performing: { try other.restoreQuarantinedDocument(1) }, throws: isCode(.corruptData))
        try other.close()
        let again = try DocumentStore.Database(name: "test", config: Self.configuration(folder))
        #expect(try again.quarantinedDocuments().count == 1)
    }

    // MARK: A lost key

    @Test func whatIsLockedIsPutAsideAsItIs() throws {
        try notes.put("photo", ["photo": Blob(contentType: "x", data: Data("photo".utf8))])
        try quarantine(["a", "b"])
        try store.saveCheckpoint("c", body: [1])
        let (sealed, generation) = (try row("a"), try store.checkpointGeneration())
        let locked = try database.moveLockedAttachments()
        #expect(locked.rows == 2 && locked.folder.lastPathComponent == "attachments-locked-1")
        #expect(try database.quarantinedDocumentCount() == 0)
        let text = try String(contentsOf: locked.folder.appendingPathComponent("quarantine-1.json"), encoding: .utf8)
        let rows = try text.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8)) }
        #expect(rows.map { $0["documentID"]?.stringValue } == ["a", "b"])
        let first = try #require(rows.first)
        #expect(first["reason"] == "revoked" && first["remote"] == "wss://gateway/db" && first["scope"] == "_default")
        #expect(first["sealed"]?.stringValue.flatMap { Base64.decode($0) } == sealed, "the key still opens it")
        // The blobs are there under another name, and are fetched again.
        #expect(folder.files(containing: Array("photo".utf8)).contains { $0.utf8.count == 40 })
        #expect(try notes.document(id: "photo")?.blob(forKey: "photo")?.content == nil)
        #expect(try store.loadCheckpoint("c") == nil && store.checkpointGeneration() == generation + 1)
        #expect(
            try !store.saveCheckpoint("c", body: [2], of: generation), "a session that went on does not bring them back"
        )
    }

    @Test func eachTimeHasItsOwnFolder() throws {
        for number in 1...3 {
            try quarantine(["d\(number)"])
            let locked = try database.moveLockedAttachments()
            #expect(locked.rows == 1 && locked.folder.lastPathComponent == "attachments-locked-\(number)")
        }
        try quarantine(["after"])
        #expect(try database.quarantinedDocuments().map(\.documentID) == ["after"], "a new key seals what comes now")
        // What was put aside is the database's own.
        try database.delete()
        #expect(!FileManager.default.fileExists(atPath: folder.databaseFolder().path))
    }

    // MARK: Damage

    @Test(arguments: ["", "x", "1-aa\n+", "no revision\n+\n{}", "1-aa 1-bb 99\n+\n{}", "1-aa 1-bb -1\n+\n{}"])
    func anEntryThatCannotBeReadIsDamaged(content: String) throws {
        try quarantine(["a", "b"])
        try database.core().write { transaction in
            try transaction.db.execute(
                sql: "UPDATE quarantine SET is_sealed = 0, revision = ? WHERE document_id = 'a'",
                arguments: [Data(content.utf8)])
        }
        let error = #expect(throws: StoreError.self) { try database.quarantinedDocuments() }
        #expect(error?.code == .corruptData && error?.context["document"] == "a")
        #expect(try database.quarantinedDocumentCount() == 2)
        var problems: [String] = []
        try database.check { problems.append($0.text) }
        #expect(problems == ["the quarantined document 1 cannot be read: \(error?.message ?? "")"])
    }
}
