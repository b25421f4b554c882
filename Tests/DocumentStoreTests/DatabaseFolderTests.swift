@testable import DocumentStore
import Foundation
import Testing

/// What a folder may look like, and what happens when it looks otherwise.
@Suite struct DatabaseFolderTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var file: URL { folder.databaseFolder().appendingPathComponent("database.sqlite3") }

    private func makeDatabase(documents: Int = 1) throws {
        let database = try folder.open()
        try database.inBatch {
            for number in 0..<documents {
                try database.defaultCollection().put("d\(number)", ["text": String(repeating: "x", count: 200)])
            }
        }
        try database.close()
    }

    @Test func aDatabaseLivesWhereItsConfigurationSays() throws {
        let database = try folder.open()
        #expect(database.path == folder.databaseFolder().path && database.name == "test")
        #expect(Database.exists(withName: "test", inDirectory: folder.url.path))
        try database.close()
        #expect(database.path == nil)
        let other = try Database.open(folder: folder.databaseFolder().path)
        #expect(other.name == "test" && other.path == folder.databaseFolder().path)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\0b", "a/\u{301}b", "a\0\u{301}b"])
    func impossibleNamesAreRefused(name: String) {
        #expect(performing: { try folder.open(name) }, throws: isCode(.invalidParameter))
    }

    @Test func closingTwiceIsFineAndUsingAClosedDatabaseIsNot() throws {
        let database = try folder.open()
        let collection = try database.defaultCollection()
        let document = try collection.put("a", [:])
        try database.close()
        try database.close()
        #expect(performing: { try collection.save(document: document) }, throws: isCode(.notOpen))
        #expect(performing: { try database.scopes() }, throws: isCode(.notOpen))
        #expect(performing: { try database.inBatch {} }, throws: isCode(.notOpen))
        #expect(performing: { try database.delete() }, throws: isCode(.notOpen))
        #expect(collection.count == 0 && !collection["a"].exists)
        collection.addChangeListener { _ in }.remove()
    }

    // MARK: Deleting, copying

    /// A killed process leaves what can be deleted once more.
    @Test func theDatabaseFileIsRemovedLast() {
        let folder = DatabaseFolder(URL(fileURLWithPath: "/tmp/none.cblite2", isDirectory: true))
        let database = folder.database.lastPathComponent
        let names = [database, database + "-wal", "attachments", "somebody-elses", database + "-shm"]
        #expect(folder.removable(among: names) == [database + "-wal", "attachments", database + "-shm", database])
    }

    @Test func deletingRemovesTheFolder() throws {
        let database = try folder.open()
        try database.delete()
        #expect(!FileManager.default.fileExists(atPath: folder.databaseFolder().path))
        try Database.delete(withName: "test", inDirectory: folder.url.path)
        #expect(!FileManager.default.fileExists(atPath: folder.databaseFolder().path))
    }

    /// A database may have been made in any folder.
    @Test func whatOthersKeepInTheFolderStays() throws {
        let files = FileManager.default
        let home = folder.url.appendingPathComponent("home")
        try files.createDirectory(at: home.appendingPathComponent("Photos"), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: home.appendingPathComponent("thesis.txt"))
        let database = try Database.open(folder: home.path)
        try database.defaultCollection().put("a", [:])
        try database.delete()
        #expect(try files.contentsOfDirectory(atPath: home.path).sorted() == ["Photos", "thesis.txt"])
        #expect(!Database.exists(folder: home.path))
        #expect(performing: { try Database.open(folder: "") }, throws: isCode(.invalidParameter))
    }

    @Test func aDatabaseThatIsOpenElsewhereIsNotDeleted() throws {
        let first = try folder.open()
        let second = try folder.open()
        #expect(
            performing: { try Database.delete(withName: "test", inDirectory: folder.url.path) }, throws: isCode(.busy))
        try second.close()
        try first.defaultCollection().put("a", [:])
        try first.close()
        try Database.delete(withName: "test", inDirectory: folder.url.path)
        #expect(!Database.exists(withName: "test", inDirectory: folder.url.path))
    }

    @Test func aRunningReplicatorKeepsTheDatabaseOpen() throws {
        let database = try folder.open()
        let token = try database.register(.replicator)
        let close = #expect(throws: StoreError.self) { try database.close() }
        #expect(
            close?.message
                == "Cannot close the database. Please stop all of the replicators before closing the database.")
        #expect(close?.code == .busy)
        let delete = #expect(throws: StoreError.self) { try database.delete() }
        #expect(
            delete?.message
                == "Cannot delete the database. Please stop all of the replicators before deleting the database.")
        token.remove()
        try database.close()
    }

    @Test func aCopyHasTheSameDocumentsAndBlobs() throws {
        let database = try folder.open()
        let collection = try database.createCollection(name: "c", scope: "s")
        let blob = Blob(contentType: "text/plain", data: Data("hello".utf8))
        try collection.save(document: MutableDocument(id: "a").setBlob(blob, forKey: "b"))
        try Database.copy(
            fromPath: folder.databaseFolder().path, toDatabase: "copy", withConfig: folder.configuration)
        try collection.put("later", [:])
        let copy = try #require(try folder.open("copy").collection(name: "c", scope: "s"))
        #expect(copy.count == 1)
        #expect(try copy.document(id: "a")?.blob(forKey: "b")?.content == Data("hello".utf8))
        #expect(throws: StoreError.self) {
            try Database.copy(
                fromPath: folder.databaseFolder().path, toDatabase: "copy", withConfig: folder.configuration)
        }
        #expect(
            performing: { try Database.copy(fromPath: "/nowhere", toDatabase: "x", withConfig: folder.configuration) },
            throws: isCode(.notFound))
    }

    // MARK: Damage

    @Test(arguments: [1, 99, 4096, 8192, 20_000])
    func aTruncatedFileIsNoticedAndNothingIsMadeOfIt(length: Int) throws {
        try makeDatabase(documents: 500)
        let whole = try Data(contentsOf: file)
        try #require(whole.count > 20_000)
        try whole.prefix(length).write(to: file)
        let error = #expect(throws: StoreError.self) { try folder.open() }
        #expect(error.map { [StoreError.Code.corruptData, .notADatabase].contains($0.code) } == true)
        #expect(error?.hint != nil)
        try whole.write(to: file)
        #expect(try folder.open().defaultCollection().count == 500)
    }

    @Test func aMissingOrEmptyFileIsALossNotANewDatabase() throws {
        try makeDatabase()
        try Data().write(to: file)
        #expect(performing: { try folder.open() }, throws: isCode(.corruptData))
        try FileManager.default.removeItem(at: file)
        #expect(performing: { try folder.open() }, throws: isCode(.corruptData))
    }

    /// What is saved in a file without a path is gone with the process.
    @Test func aFolderThatIsGoneTakesNothingMore() throws {
        let database = try folder.open()
        let collection = try database.defaultCollection()
        func save() throws { try collection.save(document: MutableDocument()) }
        try save()
        let (here, elsewhere) = (folder.databaseFolder(), folder.url.appendingPathComponent("elsewhere"))
        try FileManager.default.moveItem(at: here, to: elsewhere)
        #expect(performing: { try save() }, throws: isCode(.cannotOpenFile))
        try FileManager.default.moveItem(at: elsewhere, to: here)
        try save()
        try FileManager.default.removeItem(at: here)
        #expect(performing: { try save() }, throws: isCode(.cannotOpenFile))
        #expect(performing: { try database.inBatch {} }, throws: isCode(.cannotOpenFile))
        try database.close()
    }

    @Test func overwrittenPagesAreNoticed() throws {
        try makeDatabase(documents: 500)
        var bytes = try Data(contentsOf: file)
        for index in 8192..<min(bytes.count, 80_000) { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try bytes.write(to: file)
        #expect(throws: StoreError.self) {
            let database = try folder.open()
            try database.performMaintenance(type: .integrityCheck)
        }
    }

    @Test func anotherKindOfFileIsRefused() throws {
        try FileManager.default.createDirectory(at: folder.databaseFolder(), withIntermediateDirectories: true)
        try Data(repeating: 65, count: 5000).write(to: file)
        #expect(performing: { try folder.open() }, throws: isCode(.notADatabase))
        try FileManager.default.removeItem(at: folder.databaseFolder())
        try Data("a file".utf8).write(to: folder.databaseFolder())
        #expect(throws: StoreError.self) { try folder.open() }
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
    func aReadOnlyFolderIsRefused() throws {
        try makeDatabase()
        let path = folder.databaseFolder().path
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
        #expect(performing: { try folder.open() }, throws: isCode(.notWritable))
    }

    /// Rights are not what is wrong with it, and what is on it can still be saved.
    @Test func aReadOnlyDiskIsCopiedAtOnce() {
        let error = StoreError.posix(EROFS, message: "The database folder cannot be written.", file: file)
        #expect(error.code == .notWritable && error.hint?.contains("Copy the folder to another disk at once") == true)
        let closed = StoreError.posix(EACCES, message: "The database folder cannot be written.", file: file)
        #expect(closed.hint?.contains("Check the owner and the permissions") == true)
    }

    @Test func aFolderWithoutADatabaseHasNone() throws {
        let path = folder.databaseFolder().path
        #expect(!Database.exists(folder: path))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(!Database.exists(folder: path))
        try makeDatabase()
        #expect(Database.exists(folder: path))
    }

    @Test func twoThatOpenANewFolderAtTheSameMomentBothSucceed() async throws {
        let databases = try await withThrowingTaskGroup(of: Database.self) { group in
            for _ in 0..<8 { group.addTask { [folder] in try folder.open() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (index, database) in databases.enumerated() { try database.defaultCollection().put("d\(index)", [:]) }
        #expect(try databases.allSatisfy { try $0.defaultCollection().count == 8 })
        let identities = try databases.map { try ReplicationStore(database: $0, remote: "r").privateUUID }
        #expect(Set(identities).count == 1)
    }
    @Test func theOlderNameOfFullDurabilityContradictsNothing() {
        var configuration = DatabaseConfiguration()
        #expect(!configuration.fullSync && configuration.durability == .immediate)
        configuration.fullSync = true
        #expect(configuration.durability == .full)
        configuration.fullSync = false
        #expect(configuration.durability == .immediate)
        configuration.durability = .deferred
        configuration.fullSync = false
        #expect(configuration.durability == .deferred && !configuration.fullSync)
    }
    /// One that hangs, or has a long batch: other processes can read all the same.
    @Test(arguments: [true, false]) func openingAndReadingWaitForNobodyWhoWrites(isLogEmpty: Bool) throws {
        try makeDatabase(documents: 3)
        let writer = try folder.open()
        if !isLogEmpty { try writer.defaultCollection().put("in-the-log", [:]) }
        try writer.inBatch {
            try writer.defaultCollection().put("not-committed", [:])
            // Another object, as another process has it. It waits for nothing, or ten seconds and in vain.
            let reader = try folder.open()
            #expect(try reader.defaultCollection().count == (isLogEmpty ? 3 : 4))
            #expect(try reader.createQuery("SELECT META().id FROM _").execute().allResults().count > 2)
            try reader.close()
        }
        #expect(try writer.defaultCollection().document(id: "not-committed") != nil)
    }
}
