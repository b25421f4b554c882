import Foundation
import Glibc
import SQLiteStorage
import Testing

@testable import DocumentStore

/// Pipes and links that have the names of a database's files: nothing waits for a pipe, and nothing behind a link changes.
@Suite(.timeLimit(.minutes(1))) struct ForeignFileTests {
    private let folder: TestFolder
    private let database: DatabaseFolder

    init() throws {
        folder = try TestFolder()
        database = DatabaseFolder(folder.databaseFolder())
        let made = try folder.open()
        try made.defaultCollection().put("a", [:])
        try made.close()
    }

    private func replace(_ name: String, byPipe isPipe: Bool) throws -> URL {
        let (file, target) = (database.url.appendingPathComponent(name), folder.url.appendingPathComponent("target"))
        unlink(file.path)
        try Data("theirs".utf8).write(to: target)
        try #require(chmod(target.path, 0o644) == 0)
        try #require((isPipe ? mkfifo(file.path, 0o600) : symlink(target.path, file.path)) == 0)
        return target
    }

    private func expectUntouched(_ target: URL) throws {
        #expect(try Data(contentsOf: target) == Data("theirs".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    @Test(
        arguments: ["database.sqlite3", "database.sqlite3-wal", "database.sqlite3-shm"], [true, false])
    func aDatabaseFileThatIsNoneIsRefused(name: String, isPipe: Bool) throws {
        let target = try replace(name, byPipe: isPipe)
        let error = #expect(throws: StoreError.self) { try folder.open() }
        #expect(error?.code == .cannotOpenFile && error?.context["path"]?.hasSuffix(name) == true)
        #expect(error?.hint?.hasPrefix("Move it to another folder") == true)
        try expectUntouched(target)
    }

    @Test(arguments: [true, false]) func aReserveThatIsNoFileIsLeftAsItIs(isPipe: Bool) throws {
        let target = try replace("reserve", byPipe: isPipe)
        let again = try folder.open()
        #expect(try again.defaultCollection().count == 1)
        try again.close()
        try expectUntouched(target)
    }

    @Test func aPipeAmongTheDraftsIsNoFileOfOurs() throws {
        let drafts = database.attachments.appendingPathComponent("incoming")
        try FileManager.default.createDirectory(at: drafts, withIntermediateDirectories: true)
        try #require(mkfifo(drafts.appendingPathComponent("pipe").path, 0o600) == 0)
        let again = try folder.open()
        #expect(try again.defaultCollection().count == 1)
        try again.close()
    }

    @Test(arguments: [true, false]) func anAttachmentThatIsNoFileIsNotCopied(isPipe: Bool) throws {
        try FileManager.default.createDirectory(at: database.attachments, withIntermediateDirectories: true)
        let target = try replace("attachments/foreign", byPipe: isPipe)
        let error = #expect(throws: StoreError.self) {
            try DocumentStore.Database.copy(
                fromPath: database.url.path, toDatabase: "copy", withConfig: folder.configuration)
        }
        #expect(error?.code == .cannotOpenFile && error?.context["path"]?.hasSuffix("foreign") == true)
        try expectUntouched(target)
    }

    @Test func theMarkIsForItsOwnerAlone() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: database.completionMark.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aFileIsOpenedAndAnythingElseIsNot() throws {
        let path = folder.url.path
        close(try OwnFile.open("\(path)/file", flags: O_WRONLY | O_CREAT))
        #expect(try OwnFile.check("\(path)/file") && !OwnFile.check("\(path)/none"))
        #expect(throws: OwnFileError.system(ENOENT)) { try OwnFile.open("\(path)/none", flags: O_RDONLY) }
        #expect(throws: OwnFileError.notRegular) { try OwnFile.open(path, flags: O_RDONLY) }
        try #require(symlink("file", "\(path)/link") == 0 && mkfifo("\(path)/pipe", 0o600) == 0)
        for name in ["link", "pipe"] {
            #expect(throws: OwnFileError.notRegular) { try OwnFile.open("\(path)/\(name)", flags: O_RDONLY) }
            #expect(throws: OwnFileError.notRegular) { try OwnFile.open("\(path)/\(name)", flags: O_WRONLY) }
            #expect(throws: OwnFileError.notRegular) { try OwnFile.check("\(path)/\(name)") }
        }
    }
}
