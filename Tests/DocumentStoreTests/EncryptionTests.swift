import DocumentStore
import Foundation
import SealedSQLite
import Testing

/// Databases with an encryption key: what opens them, and what the disk has.
@Suite struct EncryptionTests {
    private let encrypted: EncryptedFolder

    init() throws { encrypted = try EncryptedFolder() }

    @Test func aPasswordOpensTheDatabaseAlone() throws {
        do {
            let database = try encrypted.open()
            try database.fillWithMarkers()
            #expect(encrypted.plainFiles.isEmpty, "while it is open")
            try database.close()
        }
        #expect(encrypted.plainFiles.isEmpty)
        #expect(try encrypted.open().hasMarkers())
        for wrong in [EncryptionKey.password("correct horsf"), .key(Data(repeating: 1, count: 32)), nil] {
            let error = try #require(encrypted.refusal(wrong))
            #expect(error.code == .notADatabase && error.hint != nil, "\(error)")
            #expect((error as NSError).code == CBLError.notADatabaseFile)
            #expect(!"\(error)".contains("horse"))
        }
        #expect(encrypted.refusal(nil)?.message == "The database is encrypted.")
        #expect(encrypted.refusal(.password("x"))?.message == "The encryption key is not that of the database.")
    }

    @Test func aKeyOpensTheDatabaseAlone() throws {
        let key = EncryptionKey.key(Data(0..<32))
        let database = try encrypted.open(key)
        try database.fillWithMarkers()
        try database.close()
        #expect(try encrypted.open(key).hasMarkers())
        #expect(encrypted.refusal(.key(Data(1..<33)))?.code == .notADatabase)
        #expect(
            encrypted.refusal(.password("p"))?.message
                == "The database is encrypted with a key of 32 bytes, but was opened with a password.")
    }

    @Test func aPlainDatabaseDoesNotOpenWithAKey() throws {
        let database = try encrypted.open(nil)
        try database.fillWithMarkers()
        try database.close()
        let error = try #require(encrypted.refusal(EncryptedFolder.password))
        #expect(error.code == .notADatabase)
        #expect(error.message == "The database is not encrypted, but was opened with an encryption key.")
        #expect(try encrypted.open(nil).hasMarkers())
    }

    @Test(arguments: [EncryptionKey.password(""), .key(Data(0..<31)), .key(Data())])
    func anImpossibleKeyIsRefused(key: EncryptionKey) {
        #expect(encrypted.refusal(key)?.code == .invalidParameter)
        #expect(!FileManager.default.fileExists(atPath: encrypted.folder.databaseFolder().path + "/database.sqlite3"))
    }

    @Test func aKeyIsInNoDescription() {
        var configuration = DatabaseConfiguration()
        configuration.encryptionKey = .password("correct horse")
        var dumped = ""
        dump(configuration, to: &dumped)
        let texts = ["\(configuration)", "\(EncryptionKey.password("correct horse"))", dumped]
        #expect(texts.allSatisfy { !$0.contains("horse") })
    }

    @Test func nothingIsPlainAfterAllKindsOfWork() throws {
        let database = try encrypted.open()
        try database.fillWithMarkers()
        let collection = try #require(try database.collection(name: "notes"))
        try collection.createIndex(withName: "text", config: ValueIndexConfiguration(["text"]))
        try collection.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        let query = try database.createQuery("SELECT text FROM notes WHERE MATCH(words, 'kitchen') ORDER BY text DESC")
        #expect(try query.execute().allResults().count == 20)
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try database.inBatch {
                try database.fillWithMarkers(20..<60)
                throw Undone()
            }
        }
        try collection.purge(id: "\(EncryptedFolder.marker)-7")
        for type in [MaintenanceType.compact, .reindex, .optimize, .fullOptimize, .integrityCheck] {
            try database.performMaintenance(type: type)
            #expect(encrypted.plainFiles.isEmpty, "\(type)")
        }
        let use = try database.diskUse()
        // Blobs of the batch that failed stay for an hour.
        #expect(use.blobCount == 59 && use.database > 0)
        try database.close()
        #expect(encrypted.plainFiles.isEmpty && encrypted.folder.files(containing: Array("SQLite format".utf8)).isEmpty)
    }

    @Test func twoObjectsShareIt() async throws {
        let (one, two) = (try encrypted.open(), try encrypted.open())
        let heard = Arrivals<[String]>()
        let token = try one.defaultCollection().addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        try two.defaultCollection().put("a", ["by": "two"])
        #expect(try await heard.first() == ["a"])
        #expect(try one.defaultCollection().document(id: "a")?.string(forKey: "by") == "two")
        try one.close()
        try two.defaultCollection().put("b", [:])
        #expect(try two.defaultCollection().count == 2)
    }

    @Test func aCopyOpensWithTheSameKey() throws {
        let database = try encrypted.open()
        try database.fillWithMarkers()
        try Database.copy(
            fromPath: encrypted.folder.databaseFolder().path, toDatabase: "copy",
            withConfig: encrypted.configuration(EncryptedFolder.password))
        #expect(encrypted.plainFiles.isEmpty)
        let copy = try encrypted.open(name: "copy")
        #expect(try copy.hasMarkers())
        for key in [nil, EncryptionKey.password("x")] {
            #expect(
                performing: {
                    try Database.copy(
                        fromPath: encrypted.folder.databaseFolder().path, toDatabase: "other",
                        withConfig: encrypted.configuration(key))
                }, throws: isCode(.notADatabase))
        }
        #expect(!Database.exists(withName: "other", inDirectory: encrypted.folder.url.path))
    }

    @Test func itIsFoundAndDeletedWithoutItsKey() throws {
        try encrypted.open().close()
        let path = encrypted.folder.url.path
        #expect(Database.exists(withName: "test", inDirectory: path))
        #expect(try Database.isEncrypted(folder: encrypted.folder.databaseFolder().path))
        try Database.delete(withName: "test", inDirectory: path)
        #expect(!FileManager.default.fileExists(atPath: encrypted.folder.databaseFolder().path))
    }

    @Test func aNewerFormatIsEncryptedToo() throws {
        try encrypted.open().close()
        let folder = encrypted.folder.databaseFolder()
        let file = folder.appendingPathComponent("database.sqlite3")
        var bytes = try Data(contentsOf: file)
        bytes[16] = 2
        try bytes.write(to: file)
        #expect(try Database.isEncrypted(folder: folder.path))
        #expect(encrypted.refusal(EncryptedFolder.password)?.code == .databaseTooNew)
        #expect(encrypted.refusal(nil)?.message == "The database is encrypted.")
    }

    @Test func aTruncatedFileIsReported() throws {
        let database = try encrypted.open()
        try database.fillWithMarkers()
        try database.close()
        let file = encrypted.folder.databaseFolder().appendingPathComponent("database.sqlite3")
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 8192)
        try handle.close()
        #expect(encrypted.refusal(EncryptedFolder.password)?.message == "The database file is cut off.")
    }

    @Test func aDamagedPageIsReported() throws {
        let database = try encrypted.open()
        try database.fillWithMarkers()
        try database.close()
        let file = encrypted.folder.databaseFolder().appendingPathComponent("database.sqlite3")
        var bytes = try Data(contentsOf: file)
        let size = SealedFileLimits.pageSize
        for page in 1..<(bytes.count / size) { bytes[page * size + 1_000] ^= 1 }
        try bytes.write(to: file)
        #expect(encrypted.refusal(EncryptedFolder.password)?.code == .corruptData)
    }
}
