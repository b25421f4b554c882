import DocumentValues
import Foundation
import GRDB
import Synchronization
import Testing

@testable import DocumentStore

/// Copies that cannot be made leave nothing behind, and those that are made have everything.
@Suite struct DatabaseCopyFaultTests {
    private typealias Database = DocumentStore.Database

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func copy(_ name: String = "test", to target: String = "copy", with config: DatabaseConfiguration? = nil)
        throws
    {
        try Database.copy(
            fromPath: folder.databaseFolder(name).path, toDatabase: target, withConfig: config ?? folder.configuration)
    }

    /// What lies beside the databases.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func whatIsNoDatabaseIsNotCopied() throws {
        let source = DatabaseFolder(folder.databaseFolder())
        try source.make()
        try Data(repeating: 65, count: 9_000).write(to: source.database)
        let error = #expect(throws: StoreError.self) { try copy() }
        #expect(error?.code == .notADatabase && error?.context["path"]?.hasPrefix(source.url.path) == true)
        #expect(try names() == ["test.fieldbook"], "no draft is left")
        #expect(try Data(contentsOf: source.database) == Data(repeating: 65, count: 9_000))
    }

    @Test func aDamagedFileIsNotCopiedAsAWhole() throws {
        let database = try folder.open()
        try database.inBatch {
            for number in 0..<300 {
                try database.defaultCollection().put("d\(number)", ["text": String(repeating: "x", count: 300)])
            }
        }
        try database.close()
        let file = DatabaseFolder(folder.databaseFolder()).database
        let whole = try Data(contentsOf: file)
        try whole.prefix(whole.count / 2).write(to: file)
        #expect(throws: StoreError.self) {
            try copy()
            try folder.open("copy").performMaintenance(type: .integrityCheck)
        }
        #expect(try !names().contains { $0.hasPrefix(".copying-") })
    }

    @Test func nothingIsCopiedOverSomethingElse() throws {
        try folder.open().close()
        let target = folder.databaseFolder("copy")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: target.appendingPathComponent("thesis.txt"))
        let error = #expect(throws: StoreError.self) { try copy() }
        #expect(error?.code == .invalidParameter && error?.context["path"] == target.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["thesis.txt"])
        #expect(performing: { try copy(to: "test") }, throws: isCode(.invalidParameter))
        #expect(try names() == ["copy.fieldbook", "test.fieldbook"])
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\0b"]) func aNameThatIsNoneIsRefused(name: String) throws {
        try folder.open().close()
        #expect(performing: { try copy(to: name) }, throws: isCode(.invalidParameter))
        #expect(try names() == ["test.fieldbook"])
    }

    @Test func whatIsNotThereIsNotFound() throws {
        let error = #expect(throws: StoreError.self) { try copy("none") }
        #expect(error?.code == .notFound && error?.context["path"] == folder.databaseFolder("none").path)
        #expect(try names().isEmpty)
    }

    // MARK: Attachments

    /// Who gives a key takes the copy for sealed.
    @Test func aKeyForWhatIsNotSealedIsRefused() throws {
        let database = try folder.open()
        try database.defaultCollection().put("a", ["photo": Blob(contentType: "x", data: Data("photo".utf8))])
        var sealed = folder.configuration
        sealed.blobStorage = SealedStorageProvider()
        let error = #expect(throws: StoreError.self) { try copy(to: "copy", with: sealed) }
        #expect(error?.code == .wrongAttachmentStorage && error?.context["path"] == folder.databaseFolder().path)
        #expect(error?.hint?.hasPrefix("Copy it without an attachment key") == true)
        #expect(try names() == ["test.fieldbook"])
    }

    @Test func aSealedOneIsOpenedWithTheSameKey() throws {
        var sealed = folder.configuration
        sealed.blobStorage = SealedStorageProvider()
        let database = try Database(name: "test", config: sealed)
        try database.defaultCollection().put("a", ["photo": Blob(contentType: "x", data: Data("photo".utf8))])
        for (name, config) in [("with", sealed), ("without", folder.configuration)] {
            try copy(to: name, with: config)
            #expect(performing: { try folder.open(name) }, throws: isCode(.wrongAttachmentStorage))
            let copied = try Database(name: name, config: sealed)
            #expect(
                try copied.defaultCollection().document(id: "a")?.blob(forKey: "photo")?.content == Data("photo".utf8))
            try copied.close()
        }
    }

    @Test func draftsAreNotCopied() throws {
        let database = try folder.open()
        try database.defaultCollection().put("a", ["photo": Blob(contentType: "x", data: Data("photo".utf8))])
        let writer = try database.core().blobs.writer()
        defer { writer.cancel() }
        try writer.write(Array("half of".utf8))
        try copy()
        #expect(folder.files(containing: Array("half of".utf8)).count == 1)
        #expect(try folder.open("copy").defaultCollection().document(id: "a")?.blob(forKey: "photo")?.content != nil)
    }

    // MARK: The disk

    /// A loss of power may come at any time.
    @Test func aCopyIsOnTheDiskBeforeItHasItsName() throws {
        let database = try folder.open()
        for number in 0..<3 {
            let photo = Blob(contentType: "x", data: Data("photo \(number)".utf8))
            try database.defaultCollection().put("\(number)", ["photo": photo])
        }
        let target = DatabaseFolder(folder.databaseFolder("copy"))
        let synchronized = Mutex<[URL]>([])
        var copy = DatabaseCopy(
            source: DatabaseFolder(folder.databaseFolder()), target: target, configuration: folder.configuration)
        let parent = target.url.deletingLastPathComponent().standardizedFileURL.path
        copy.synchronize = { file in
            #expect(DatabaseFolder.isThere(target.url) == (file.standardizedFileURL.path == parent), "\(file.path)")
            synchronized.withLock { $0.append(file) }
        }
        try copy.run()
        let names = synchronized.withLock { $0.map(\.lastPathComponent) }
        for name in try FileManager.default.subpathsOfDirectory(atPath: target.url.path) {
            #expect(names.contains((name as NSString).lastPathComponent), "\(name)")
        }
        #expect(names.count > 8)
    }

    // MARK: What a copy has

    @Test func aCopyHasAllThatADatabaseHas() throws {
        let database = try folder.open()
        let notes = try database.createCollection(name: "notes", scope: "field")
        for number in 0..<3 { try notes.put("n\(number)", ["n": number, "text": "leaking pipe"]) }
        try notes.createIndex(withName: "numbers", config: ValueIndexConfiguration(["n"]))
        try notes.createIndex(withName: "texts", config: FullTextIndexConfiguration(["text"]))
        try notes.delete(document: try #require(try notes.document(id: "n0")))
        let date = Date(timeIntervalSince1970: 4_000_000_000)
        try notes.setDocumentExpiration(id: "n1", expiration: date)
        let store = try ReplicationStore(database: database, remote: "r")
        try store.saveCheckpoint("c", body: [1])
        try store.saveDeviceCookie([2], of: "wss://gateway/db")
        try copy()
        let copied = try folder.open("copy")
        let there = try #require(try copied.collection(name: "notes", scope: "field"))
        #expect(try there.documentIDs() == ["n1", "n2"] && there.deletedIDs() == ["n0"])
        #expect(try there.getDocumentExpiration(id: "n1") == date && there.indexes() == ["numbers", "texts"])
        #expect(try there.revisionHistory(id: "n0") == notes.revisionHistory(id: "n0"))
        let query = try copied.createQuery("SELECT META().id FROM field.notes WHERE MATCH(texts, 'leaking') ORDER BY n")
        #expect(try query.execute().allResults().map { $0.string(at: 0) } == ["n1", "n2"])
        // To a gateway it is another client, which has received nothing yet.
        let other = try ReplicationStore(database: copied, remote: "r")
        #expect(other.privateUUID != store.privateUUID)
        #expect(try other.loadCheckpoint("c") == nil && store.loadCheckpoint("c") == [1])
        let cookies = try [other, store].map { try $0.deviceCookie(of: "wss://gateway/db") }
        #expect(cookies == [nil, [2]])
        try copied.performMaintenance(type: .integrityCheck)
    }

    @Test func theCopyAndTheOriginalGoTheirOwnWays() throws {
        let database = try folder.open()
        try database.defaultCollection().put("a", ["n": 1])
        try copy()
        let copied = try folder.open("copy")
        try copied.defaultCollection().put("a", ["n": 2])
        try database.defaultCollection().put("b", [:])
        #expect(try database.defaultCollection().document(id: "a")?.int(forKey: "n") == 1)
        #expect(try copied.defaultCollection().documentIDs() == ["a"])
        // And a copy can be copied.
        try copy("copy", to: "third")
        #expect(try folder.open("third").defaultCollection().document(id: "a")?.int(forKey: "n") == 2)
    }
}
