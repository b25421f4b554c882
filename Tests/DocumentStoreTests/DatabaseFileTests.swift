import DocumentValues
import Foundation
import GRDB
import SQLiteStorage
import Testing

@testable import DocumentStore

/// The checks before a file is opened as a database, and the files that they refuse.
@Suite struct DatabaseFileTests {
    private typealias Database = DocumentStore.Database

    private let folder: TestFolder
    private let checked: DatabaseFolder

    init() throws {
        folder = try TestFolder()
        checked = DatabaseFolder(folder.databaseFolder())
        try checked.make()
    }

    /// A file with the head of a database that says how large it is, and zeros behind.
    private func write(bytes: Int, pageSize: UInt16 = 4_096, pages: UInt32 = 1, log: Int? = nil) throws {
        var head = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        head.replaceSubrange(16..<18, with: [UInt8(pageSize >> 8), UInt8(pageSize & 0xFF)])
        head.replaceSubrange(28..<32, with: [24, 16, 8, 0].map { UInt8(pages >> $0 & 0xFF) })
        try Data((head + [UInt8](repeating: 0, count: max(bytes - 100, 0))).prefix(bytes)).write(to: checked.database)
        if let log { try Data(repeating: 1, count: log).write(to: checked.log) }
    }

    private func refusal() -> StoreError? {
        do {
            try checked.checkFile()
            return nil
        } catch { return error as? StoreError ?? StoreError(.unexpected, message: "\(error)") }
    }

    /// The system drops all locks that a process has on a file when it closes one of its descriptors. Another process would
    /// then take the log away when it closes the database, while this one writes to it.
    @Test func openingADatabaseAgainKeepsItsLocks() throws {
        let one = try folder.open()
        try one.defaultCollection().put("a", [:])
        #expect(try isLocked())
        let two = try folder.open()
        #expect(try isLocked())
        try two.close()
        try one.close()
    }

    /// Whether this process has a lock on a part of the file.
    private func isLocked() throws -> Bool {
        let files = FileManager.default
        let path = checked.database.resolvingSymlinksInPath().path
        return try files.contentsOfDirectory(atPath: "/proc/self/fd").contains { number in
            // The descriptor by which the list was read is closed by now.
            guard (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path else {
                return false
            }
            return try String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8).contains("POSIX")
        }
    }

    // MARK: Length

    @Test(arguments: [
        (4_096, UInt16(4_096), UInt32(1)), (8_192, 4_096, 2), (8_193, 4_096, 2), (65_536, 1, 1), (512, 512, 1),
        (4_096, 4_096, 0),
    ])
    func aFileThatIsAsLongAsItSaysIsOpened(bytes: Int, pageSize: UInt16, pages: UInt32) throws {
        try write(bytes: bytes, pageSize: pageSize, pages: pages)
        #expect(refusal() == nil)
    }

    @Test(arguments: [
        (4_095, UInt16(4_096), UInt32(1)), (8_191, 4_096, 2), (65_535, 1, 1), (100, 512, 1), (4_096, 4_096, UInt32.max),
    ])
    func aShorterOneIsCutOff(bytes: Int, pageSize: UInt16, pages: UInt32) throws {
        try write(bytes: bytes, pageSize: pageSize, pages: pages)
        let error = try #require(refusal())
        #expect(error.code == .corruptData && error.context["path"] == checked.database.path)
        #expect(error.context["bytes"] == "\(bytes)" && error.message == "The database file is cut off.")
        #expect(error.hint == "Keep a copy of the folder, then restore it from a backup or sync into a new one.")
    }

    /// What is not in the file yet may be in the log; its head alone has no page.
    @Test(arguments: [(0, false), (1, false), (32, false), (33, true), (4_152, true)])
    func theLogMayHaveTheRest(log: Int, isFine: Bool) throws {
        try write(bytes: 4_096, pages: 3, log: log)
        #expect((refusal() == nil) == isFine)
    }

    @Test(arguments: [1, 15, 16, 99]) func whatHasNoHeadIsNoDatabase(bytes: Int) throws {
        try write(bytes: bytes)
        #expect(refusal()?.code == .notADatabase && refusal()?.context["path"] == checked.database.path)
    }

    @Test func anotherBeginningIsNoDatabase() throws {
        try write(bytes: 4_096)
        var content = try Data(contentsOf: checked.database)
        content[14] = UInt8(ascii: "4")
        try content.write(to: checked.database)
        #expect(refusal()?.code == .notADatabase)
        #expect(performing: { try folder.open() }, throws: isCode(.notADatabase))
        #expect(try Data(contentsOf: checked.database) == content, "nothing is made of it")
    }

    @Test(arguments: [false, true]) func whatIsMissingIsANewDatabaseOrALoss(wasComplete: Bool) throws {
        if wasComplete { try Data().write(to: checked.completionMark) }
        #expect((refusal() == nil) == !wasComplete)
        try Data().write(to: checked.database)
        #expect((refusal() == nil) == !wasComplete)
        if let error = refusal() {
            #expect(
                error.code == .corruptData
                    && error.hint == "Restore the folder from a backup, or sync into a new folder.")
        }
        #expect(checked.exists)
    }

    // MARK: Other programs

    @Test(arguments: ["CREATE TABLE theirs (a)", "PRAGMA application_id = 77"])
    func aDatabaseOfAnotherProgramIsLeftAsItIs(statement: String) throws {
        let queue = try DatabaseQueue(path: checked.database.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: statement) }
        try queue.close()
        func content() throws -> [String] {
            let queue = try DatabaseQueue(path: checked.database.path)
            let names = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master ORDER BY 1") }
            let id = try queue.read { try Int.fetchOne($0, sql: "PRAGMA application_id") ?? -1 }
            try queue.close()
            return names + ["\(id)"]
        }
        let before = try content()
        let error = #expect(throws: StoreError.self) { try folder.open() }
        #expect(error?.code == .wrongFormat && error?.message == "This is a database of another program.")
        #expect(error?.hint == "Choose another folder." && error?.context["path"] == checked.database.path)
        #expect(try content() == before)
    }

    // MARK: Permissions

    private func permissions(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func onlyTheOwnerReadsIt() throws {
        let database = try Database(name: "private", config: folder.configuration)
        try database.defaultCollection().put("a", ["photo": Blob(contentType: "x", data: Data("photo".utf8))])
        let made = DatabaseFolder(folder.databaseFolder("private"))
        #expect(try permissions(made.url) == 0o700)
        let files = [made.database, made.log, made.useLock, made.openingLock] + folder.blobFiles
        #expect(files.count == 5)
        for file in files { #expect(try permissions(file) == 0o600, "\(file.lastPathComponent)") }
        try database.close()
        // A copy by hand may have others.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: made.database.path)
        let again = try Database(name: "private", config: folder.configuration)
        #expect(try permissions(made.database) == 0o600)
        try again.close()
    }

    @Test func aCopyIsAsPrivate() throws {
        try folder.open().close()
        try Database.copy(fromPath: checked.url.path, toDatabase: "copy", withConfig: folder.configuration)
        let copy = DatabaseFolder(folder.databaseFolder("copy"))
        #expect(try permissions(copy.database) == 0o600 && permissions(copy.url) == 0o700)
    }

    // MARK: Others who have it open

    @Test func whoWantsItAloneIsRefusedAtOnce() throws {
        var alone = folder.configuration
        alone.isExclusive = true
        let database = try folder.open()
        let error = #expect(throws: StoreError.self) { try Database(name: "test", config: alone) }
        #expect(error?.code == .busy && error?.context["path"] == checked.url.path && error?.hint != nil)
        try database.close()
        let exclusive = try Database(name: "test", config: alone)
        try exclusive.defaultCollection().put("a", [:])
        try exclusive.close()
        #expect(try folder.open().defaultCollection().count == 1)
    }

    /// A process that hangs has it.
    @Test func whatIsInUseIsNotDeleted() throws {
        try folder.open().close()
        let lock = try #require(try FileLock.take(checked.useLock, mode: .shared, timeout: 0))
        let error = #expect(throws: StoreError.self) {
            try Database.delete(withName: "test", inDirectory: folder.url.path)
        }
        #expect(error?.code == .busy && error?.message == "The database folder is in use.")
        #expect(
            error?.hint == "Close the other program or the other Database object, or wait until it has finished.")
        #expect(checked.exists)
        lock.release()
        try Database.delete(withName: "test", inDirectory: folder.url.path)
        #expect(!DatabaseFolder.isThere(checked.url))
    }

    @Test func aLockThatIsNoFileIsAnError() throws {
        try FileManager.default.createDirectory(at: checked.useLock, withIntermediateDirectories: true)
        let error = #expect(throws: StoreError.self) { try folder.open() }
        #expect(error?.message == "The folder's lock cannot be opened.")
        #expect(error?.context["path"] == checked.useLock.path)
    }

    // MARK: Attachments

    @Test(arguments: [false, true]) func attachmentsAreKeptInOneWay(isSealed: Bool) throws {
        var sealed = folder.configuration
        sealed.blobStorage = SealedStorageProvider()
        let (first, other) = isSealed ? (sealed, folder.configuration) : (folder.configuration, sealed)
        let database = try Database(name: "test", config: first)
        try database.defaultCollection().put("a", [:])
        try database.close()
        let error = #expect(throws: StoreError.self) { try Database(name: "test", config: other) }
        #expect(error?.code == .wrongAttachmentStorage && error?.context["path"] == checked.url.path)
        #expect(
            error?.hint
                == (isSealed ? "Open it with its attachment key." : "Open it without an attachment key."))
        #expect(try Database(name: "test", config: first).defaultCollection().count == 1, "it can be opened as before")
    }

    // MARK: Names of the files

    @Test func aFolderSaysWhereItsAttachmentsAre() throws {
        #expect(DatabaseLayout(folder: checked.url.path) == nil)
        try folder.open().close()
        #expect(DatabaseLayout(folder: checked.url.path)?.attachments.path == checked.attachments.path)
        #expect(DatabaseLayout(folder: checked.url.path + "/none") == nil)
    }

    @Test func aConfigurationIsCopied() {
        var configuration = folder.configuration
        configuration.durability = .full
        let copy = DatabaseConfiguration(config: configuration)
        #expect(copy.directory == folder.url.path && copy.durability == .full)
        let new = DatabaseConfiguration(config: nil)
        #expect(new.directory == DatabaseConfiguration.defaultDirectory && new.durability == .immediate)
    }
}
