@testable import DocumentStore
import Foundation
import Testing

/// Blobs as files, each of which is whole or not there.
@Suite struct BlobFolderTests {
    private let folder: TestFolder
    private let blobs: BlobFolder
    private static let name = "ab" + String(repeating: "0", count: 38)
    private static let other = "cd" + String(repeating: "0", count: 38)

    init() throws {
        folder = try TestFolder()
        blobs = BlobFolder(folder.url.appendingPathComponent("attachments", isDirectory: true))
    }

    private var drafts: [String] {
        let path = blobs.url.appendingPathComponent(BlobFolder.draftsName).path
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private func location(_ name: String) -> URL {
        blobs.url.appendingPathComponent(String(name.prefix(2))).appendingPathComponent(name)
    }

    private func store(_ content: String, as name: String = Self.name) throws {
        let file = try blobs.newFile()
        try file.write(Array(content.utf8))
        try blobs.install(file, as: name)
    }

    private func content(_ name: String = Self.name) throws -> String? {
        guard let file = try blobs.openForReading(name) else { return nil }
        defer { file.close() }
        return String(decoding: try file.read(upTo: 1_000), as: UTF8.self)
    }

    private func age(_ name: String, by seconds: TimeInterval) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: location(name).path)
    }

    // MARK: Storing

    @Test func whatIsNotFinishedIsNotThere() throws {
        let file = try blobs.newFile()
        try file.write(Array("half".utf8))
        #expect(drafts.count == 1)
        #expect(try blobs.size(Self.name) == nil && blobs.openForReading(Self.name) == nil)
        let usage = try blobs.usage()
        #expect(usage.blobs == 0 && usage.bytes == 0)
        file.discard()
        file.discard()
        #expect(drafts.isEmpty)
    }

    @Test func aDraftThatIsLetGoIsRemoved() throws {
        do {
            let file = try blobs.newFile()
            try file.write([1, 2, 3])
            #expect(drafts.count == 1)
        }
        #expect(drafts.isEmpty)
    }

    @Test func whatIsInstalledIsWholeAndPrivate() throws {
        try store("hello")
        #expect(try content() == "hello" && blobs.size(Self.name) == 5 && drafts.isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: location(Self.name).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let above = try FileManager.default.attributesOfItem(atPath: blobs.url.path)
        #expect(above[.posixPermissions] as? Int == 0o700)
    }

    @Test func whatIsInstalledAgainIsThereOnce() throws {
        try store("hello")
        try age(Self.name, by: 10_000)
        try store("hello")
        try store("other", as: Self.other)
        let usage = try blobs.usage()
        #expect(usage.blobs == 2 && usage.bytes == 10)
        let removed = try blobs.removeAll(except: [], untouchedSince: Date(timeIntervalSinceNow: -5_000))
        #expect(removed == 0, "it is young again")
    }

    @Test func aFileIsReadInPortions() throws {
        try store("0123456789")
        let file = try #require(try blobs.openForReading(Self.name))
        var portions: [Int] = []
        for _ in 0..<5 { portions.append(try file.read(upTo: 4).count) }
        #expect(portions == [4, 4, 2, 0, 0] && file.length == 10)
        file.close()
        file.close()
    }

    @Test func bytesThatWereWrittenAreReplaced() throws {
        let file = try blobs.newFile()
        try file.write(Array("....:".utf8))
        try file.write(Array("body".utf8)[...])
        try file.overwrite(at: 0, Array("head".utf8))
        try file.write(Array("!".utf8).lazy.map { $0 })
        try blobs.install(file, as: Self.name)
        #expect(try content() == "head:body!")
    }

    @Test func aClosedFileSaysSo() throws {
        try store("hello")
        let file = try #require(try blobs.openForReading(Self.name))
        file.close()
        let uses: [(BlobFile) throws -> Void] = [
            { _ = try $0.read(upTo: 1) }, { try $0.write([1]) }, { try $0.overwrite(at: 0, [1]) },
            { try $0.synchronize() },
        ]
        for use in uses {
            let error = #expect(throws: StoreError.self) { try use(file) }
            #expect(error?.code == .notOpen && error?.context["path"] == location(Self.name).path)
        }
        file.discard()
        #expect(try content() == "hello", "what was installed is no draft")
    }

    // MARK: Removing

    /// One that is being written is locked by its writer.
    @Test func onlyWhatACrashLeftIsRemoved() throws {
        let file = try blobs.newFile()
        let left = blobs.url.appendingPathComponent(BlobFolder.draftsName).appendingPathComponent("left")
        try Data("half".utf8).write(to: left)
        #expect(drafts.count == 2)
        try blobs.removeAbandonedDrafts()
        #expect(drafts == [file.url.lastPathComponent])
        try blobs.install(file, as: Self.name)
        #expect(try blobs.size(Self.name) == 0)
        try BlobFolder(folder.url.appendingPathComponent("nowhere")).removeAbandonedDrafts()
    }

    @Test func whatIsOldAndNotKeptGoes() throws {
        let names = ["aa", "ab", "bc", "cd"].map { $0 + String(repeating: "1", count: 38) }
        for name in names { try store("x", as: name) }
        for name in names.dropFirst() { try age(name, by: 10_000) }
        let left = blobs.url.appendingPathComponent(BlobFolder.draftsName).appendingPathComponent("left")
        try Data().write(to: left)
        let removed = try blobs.removeAll(except: [names[1]], untouchedSince: Date(timeIntervalSinceNow: -5_000))
        #expect(removed == 2 && drafts.isEmpty)
        #expect(try names.map { try blobs.size($0) != nil } == [true, true, false, false])
    }

    /// Somebody may have another name for the file.
    @Test func whatIsDestroyedIsOverwritten() throws {
        try store("a secret of somebody")
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.linkItem(at: location(Self.name), to: link)
        try blobs.remove(Self.name, destroying: 8)
        #expect(try blobs.size(Self.name) == nil)
        #expect(try Data(contentsOf: link) == Data(repeating: 0, count: 8) + Data(" of somebody".utf8))
        try blobs.overwrite(link)
        #expect(try Data(contentsOf: link) == Data(repeating: 0, count: 20))
        try blobs.remove(link)
        try blobs.remove(link)
        #expect(!FileManager.default.fileExists(atPath: link.path))
    }

    @Test func removingWhatIsNotThereDoesNothing() throws {
        try blobs.remove(Self.name)
        try blobs.remove(Self.name, destroying: 10)
        try blobs.overwrite(folder.url.appendingPathComponent("none"))
        #expect(try blobs.removeAll(except: [], untouchedSince: .distantFuture) == 0)
        #expect(try blobs.usage().blobs == 0)
    }

    @Test func aFolderIsMovedWithAllThatIsInIt() throws {
        try store("hello")
        let target = folder.url.appendingPathComponent("moved", isDirectory: true)
        try blobs.move(to: target)
        #expect(try blobs.size(Self.name) == nil && BlobFolder(target).size(Self.name) == 5)
        let error = #expect(throws: StoreError.self) { try blobs.move(to: target) }
        #expect(error?.code == .cannotOpenFile && error?.hint == "Check the path.")
        try store("again")
        #expect(try content() == "again", "it is made when it is needed")
    }

    // MARK: Faults

    /// A file where a folder has to be, as after a careless restore.
    @Test func aFileInTheWayIsNamed() throws {
        try FileManager.default.createDirectory(at: blobs.url, withIntermediateDirectories: true)
        let inTheWay = blobs.url.appendingPathComponent("ab")
        try Data().write(to: inTheWay)
        let uses: [(BlobFolder) throws -> Void] = [
            { _ = try $0.size(Self.name) }, { _ = try $0.openForReading(Self.name) },
            { try $0.remove(Self.name) }, { try $0.remove(Self.name, destroying: 5) },
            { folder in
                let file = try folder.newFile()
                defer { file.discard() }
                try folder.install(file, as: Self.name)
            },
        ]
        for (number, use) in uses.enumerated() {
            let error = #expect(throws: StoreError.self) { try use(blobs) }
            #expect(error?.code == .cannotOpenFile && error?.context["path"]?.contains("/ab") == true, "\(number)")
        }
        #expect(drafts.isEmpty)
        try store("hello", as: Self.other)
        #expect(try content(Self.other) == "hello", "the others are there")
    }
}
