import Foundation
import Testing

@testable import DocumentStore

/// Changes of the key of a database, also those that a crash ends.
@Suite struct KeyChangeTests {
    private let encrypted: EncryptedFolder
    private static let other = EncryptionKey.key(Data(0..<32))

    init() throws { encrypted = try EncryptedFolder() }

    private var folder: DatabaseFolder { DatabaseFolder(encrypted.folder.databaseFolder()) }

    private func seal(_ key: EncryptionKey?) -> DatabaseSeal { DatabaseSeal(encrypted.configuration(key)) }

    /// Whether nothing of a change is left.
    private var isTidy: Bool {
        !DatabaseFolder.isThere(folder.keyDraft) && !DatabaseFolder.isThere(folder.changedKey)
    }

    enum Kind: CaseIterable, CustomTestStringConvertible {
        case encrypting, changing, decrypting

        var keys: (old: EncryptionKey?, new: EncryptionKey?) {
            switch self {
            case .encrypting: (nil, EncryptedFolder.password)
            case .changing: (EncryptedFolder.password, KeyChangeTests.other)
            case .decrypting: (EncryptedFolder.password, nil)
            }
        }

        var testDescription: String { "\(self)" }
    }

    @Test(arguments: Kind.allCases) func theDatabaseGoesOnWithTheNewKey(kind: Kind) async throws {
        let database = try encrypted.open(kind.keys.old)
        try database.fillWithMarkers()
        let heard = Arrivals<[String]>()
        let notes = try #require(try database.collection(name: "notes"))
        let token = notes.addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        let unused = Blob(contentType: "text/plain", data: Data("not in a document yet".utf8))
        try database.saveBlob(blob: unused)
        let (uuid, sequence) = (
            try database.core().identity.privateUUID, try notes.document(id: "\(EncryptedFolder.marker)-3")?.sequence
        )

        try database.changeEncryptionKey(kind.keys.new)

        #expect(try database.hasMarkers() && isTidy)
        #expect(unused.content == Data("not in a document yet".utf8))
        #expect(encrypted.plainFiles.isEmpty == (kind.keys.new != nil))
        #expect(try database.core().identity.privateUUID == uuid)
        #expect(try notes.document(id: "\(EncryptedFolder.marker)-3")?.sequence == sequence)
        try notes.put("later", [:])
        #expect(try await heard.first() == ["later"])
        try notes.purge(id: "later")
        try database.close()
        #expect(encrypted.refusal(kind.keys.old)?.code == .notADatabase)
        #expect(try encrypted.open(kind.keys.new).hasMarkers())
    }

    /// Listeners look for changes before it is closed; another thread may store one after that.
    @Test func aChangeBeforeTheClosingIsReportedAfterIt() async throws {
        let database = try encrypted.open(nil)
        let notes = try database.createCollection(name: "notes")
        let heard = Arrivals<[String]>()
        let token = notes.addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        try database.exchangeForOtherKey { present in
            guard let former = present else { return }
            former.core.onCommit {}
            let content = try EditedContent(parsing: Array("{}".utf8))
            try former.core.write { _ = try $0.table(notes.number).add("late", content: content) }
            try former.core.close(refusing: .changingKey)
            present = try OpenDatabase(reopening: former, configuration: former.configuration)
        }
        #expect(try await heard.first(within: .seconds(1)) == ["late"])
    }

    @Test func itIsChangedByAsynchronousCode() async throws {
        let database = try encrypted.open(nil)
        try database.fillWithMarkers(0..<3)
        try await database.async.changeEncryptionKey(EncryptedFolder.password)
        #expect(try database.hasMarkers(0..<3) && encrypted.plainFiles.isEmpty)
        try await database.async.close()
        #expect(try encrypted.open().hasMarkers(0..<3))
    }

    @Test func aKeyIsChangedAgainAndAgain() throws {
        let database = try encrypted.open(nil)
        try database.fillWithMarkers(0..<3)
        for key in [EncryptedFolder.password, Self.other, nil, nil, Self.other, Self.other, EncryptedFolder.password] {
            try database.changeEncryptionKey(key)
            #expect(try database.hasMarkers(0..<3))
        }
        try database.close()
        #expect(try encrypted.open().hasMarkers(0..<3))
    }

    /// After a crash before the new database was whole, it has the former key.
    @Test(arguments: Kind.allCases) func whatIsNotWholeIsForgotten(kind: Kind) throws {
        try filled(kind.keys.old)
        let copy = encrypted.folder.url.appendingPathComponent("copy.fieldbook")
        struct Crash: Error {}
        #expect(throws: Crash.self) {
            try KeyChange(folder, from: seal(kind.keys.old), to: seal(kind.keys.new)).run {
                // What the disk has at that moment.
                try FileManager.default.copyItem(at: folder.url, to: copy)
                throw Crash()
            }
        }
        #expect(isTidy)
        #expect(try encrypted.open(kind.keys.old).hasMarkers(Self.few))
        let crashed = try encrypted.open(kind.keys.old, name: "copy")
        #expect(try crashed.hasMarkers(Self.few))
        #expect(!DatabaseFolder.isThere(DatabaseFolder(copy).keyDraft))
    }

    /// After a crash at any step behind that, it has the new one.
    @Test(arguments: Kind.allCases, 0...KeyChangeCompletion.Step.allCases.count)
    func whatIsWholeIsFinished(kind: Kind, steps: Int) throws {
        try leaveWhole(kind)
        // A log that a crash has left beside the former database.
        try Data("a log of the former database".utf8).write(to: folder.log)
        for step in KeyChangeCompletion.Step.allCases.prefix(steps) { try KeyChangeCompletion(folder).perform(step) }
        #expect(try Database.isEncrypted(folder: folder.url.path) == (kind.keys.new != nil))

        let database = try encrypted.open(kind.keys.new)

        #expect(try database.hasMarkers(Self.few) && isTidy)
        #expect(encrypted.plainFiles.isEmpty == (kind.keys.new != nil))
        try database.close()
        #expect(encrypted.refusal(kind.keys.old)?.code == .notADatabase)
    }

    @Test func aCopyFinishesWhatACrashHasLeft() throws {
        try filled(nil)
        let draft = encrypted.folder.url.appendingPathComponent("draft")
        try KeyChange(folder, from: seal(nil), to: seal(Self.other)).run {
            try FileManager.default.copyItem(at: folder.keyDraft, to: draft)
        }
        try FileManager.default.moveItem(at: draft, to: folder.changedKey)
        try Database.copy(
            fromPath: folder.url.path, toDatabase: "copy", withConfig: encrypted.configuration(Self.other))
        #expect(try encrypted.open(Self.other, name: "copy").hasMarkers(Self.few) && isTidy)
    }

    @Test(arguments: Kind.allCases) func onlyTheOwnerEntersTheFolders(kind: Kind) throws {
        let database = try encrypted.open(kind.keys.old)
        try database.fillWithMarkers(Self.few)
        try database.changeEncryptionKey(kind.keys.new)
        try database.close()
        try Database.copy(
            fromPath: folder.url.path, toDatabase: "copy", withConfig: encrypted.configuration(kind.keys.new))
        for name in ["test", "copy"] {
            let folder = DatabaseFolder(encrypted.folder.databaseFolder(name))
            for url in [folder.url, folder.attachments] {
                let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
                #expect(attributes[.posixPermissions] as? Int == 0o700, "\(url.path)")
            }
        }
    }

    @Test func aPlainDraftIsOverwrittenBeforeItIsRemoved() throws {
        try filled(EncryptedFolder.password)
        let link = encrypted.folder.url.appendingPathComponent("link")
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try KeyChange(folder, from: seal(EncryptedFolder.password), to: seal(nil)).run {
                try FileManager.default.linkItem(at: DatabaseFolder(folder.keyDraft).database, to: link)
                throw Failure()
            }
        }
        let left = try Data(contentsOf: link)
        #expect(!left.isEmpty && left.allSatisfy { $0 == 0 })
        #expect(isTidy && encrypted.plainFiles.isEmpty)
        #expect(try encrypted.open().hasMarkers(Self.few))
    }

    @Test func theFormerLogIsOverwrittenBeforeItIsRemoved() throws {
        try leaveWhole(.encrypting)
        try Data("a log of the former database".utf8).write(to: folder.log)
        let link = encrypted.folder.url.appendingPathComponent("link")
        try FileManager.default.linkItem(at: folder.log, to: link)
        #expect(try encrypted.open(Kind.encrypting.keys.new).hasMarkers(Self.few) && isTidy)
        let left = try Data(contentsOf: link)
        #expect(!left.isEmpty && left.allSatisfy { $0 == 0 })
    }

    @Test func aFileBehindALinkIsNotOverwritten() throws {
        let other = encrypted.folder.url.appendingPathComponent("other")
        try Data("of another program".utf8).write(to: other)
        let former = encrypted.folder.url.appendingPathComponent("former", isDirectory: true)
        try FileManager.default.createDirectory(at: former, withIntermediateDirectories: false)
        for (name, target) in [("link", other.path), ("dead", "nowhere")] {
            try FileManager.default.createSymbolicLink(
                atPath: former.appendingPathComponent(name).path, withDestinationPath: target)
        }
        try DurableFile.overwriteAll(in: former)
        #expect(try Data(contentsOf: other) == Data("of another program".utf8))
    }

    /// They are the only way back if the new key is lost before the database was opened with it.
    @Test(arguments: Kind.allCases) func formerFilesStayUntilTheNewKeyIsShown(kind: Kind) throws {
        try leaveWhole(kind)
        let former = folder.changedKey.appendingPathComponent("former.sqlite3")
        for _ in 0..<2 {
            #expect(encrypted.refusal(kind.keys.old)?.code == .notADatabase)
            #expect(DatabaseFolder.isThere(former))
        }
        #expect(try encrypted.open(kind.keys.new).hasMarkers(Self.few) && isTidy)
    }

    /// The database has the new key by then: an error would make the caller drop it.
    @Test(arguments: Kind.allCases, KeyChangeCompletion.Step.allCases)
    func aFailureOnceTheNewKeyIsInForceIsNone(kind: Kind, step: KeyChangeCompletion.Step) throws {
        let database = try encrypted.open(kind.keys.old)
        try database.fillWithMarkers(Self.few)
        struct Failure: Error {}
        try database.changeKey(to: kind.keys.new, beforeStep: { if $0 == step { throw Failure() } })
        #expect(try database.hasMarkers(Self.few) && isTidy)
        #expect(encrypted.plainFiles.isEmpty == (kind.keys.new != nil))
        try database.close()
        #expect(encrypted.refusal(kind.keys.old)?.code == .notADatabase)
        #expect(try encrypted.open(kind.keys.new).hasMarkers(Self.few))
    }

    @Test func aDatabaseThatCannotBeOpenedAgainSaysWhichKeyItHas() throws {
        let database = try encrypted.open(nil)
        try database.fillWithMarkers(Self.few)
        // A folder that cannot be removed as a file.
        let obstacle = URL(fileURLWithPath: folder.database.path + "-shm", isDirectory: true)
        let error = #expect(throws: StoreError.self) {
            try database.changeKey(
                to: Self.other,
                beforeReplacing: {
                    try? FileManager.default.removeItem(at: obstacle)
                    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
                })
        }
        #expect(error?.message.hasPrefix("The database has the new key, but could not be opened again.") == true)
        #expect(error?.hint?.hasPrefix("Keep the new key") == true && error?.context["path"] != nil)
        #expect(database.path == nil)
        try FileManager.default.removeItem(at: obstacle)
        #expect(try encrypted.open(Self.other).hasMarkers(Self.few) && isTidy && encrypted.plainFiles.isEmpty)
    }

    private static let few = 0..<5

    /// What a crash leaves as soon as the new database is whole.
    private func leaveWhole(_ kind: Kind) throws {
        try filled(kind.keys.old)
        struct Crash: Error {}
        try KeyChange(folder, from: seal(kind.keys.old), to: seal(kind.keys.new))
            .run(beforeStep: { _ in throw Crash() })
        #expect(DatabaseFolder.isThere(folder.changedKey) && DatabaseFolder.isThere(folder.database))
    }

    private func filled(_ key: EncryptionKey?) throws {
        let database = try encrypted.open(key)
        try database.fillWithMarkers(Self.few)
        try database.close()
    }

    // MARK: Refusals

    @Test func itIsRefusedWhileAnotherObjectHasItOpen() throws {
        let (one, two) = (try encrypted.open(), try encrypted.open())
        try one.fillWithMarkers(0..<3)
        let results = try one.createQuery("SELECT number FROM notes").execute()
        #expect(performing: { try one.changeEncryptionKey(nil) }, throws: isCode(.busy))
        #expect(results.allResults().count == 3, "nothing was closed")
        try two.close()
        try one.changeEncryptionKey(nil)
        #expect(try one.hasMarkers(0..<3))
        // The refusal has not taken the lock for use from the first object.
        #expect(
            performing: { try Database.delete(withName: "test", inDirectory: encrypted.folder.url.path) },
            throws: isCode(.busy))
    }

    @Test func itIsRefusedInABatchAndWithAnImpossibleKey() throws {
        let database = try encrypted.open()
        try database.inBatch {
            #expect(performing: { try database.changeEncryptionKey(nil) }, throws: isCode(.invalidParameter))
        }
        for key in [EncryptionKey.password(""), .key(Data(0..<31))] {
            #expect(performing: { try database.changeEncryptionKey(key) }, throws: isCode(.invalidParameter))
        }
        try database.defaultCollection().put("a", [:])
        try database.close()
        #expect(performing: { try database.changeEncryptionKey(nil) }, throws: isCode(.notOpen))
    }

    @Test func itIsRefusedWhileALiveQueryRuns() throws {
        let database = try encrypted.open()
        let token = try database.createQuery("SELECT x FROM _").addChangeListener { _ in }
        let error = #expect(throws: StoreError.self) { try database.changeEncryptionKey(nil) }
        #expect(error?.code == .busy && error?.message.contains("query listeners") == true)
        token.remove()
        try database.changeEncryptionKey(nil)
    }

    /// Another database has the path by now, and keeps its key.
    @Test func aMovedFolderIsRefused() throws {
        let database = try encrypted.open(nil)
        let moved = encrypted.folder.url.appendingPathComponent("moved")
        try FileManager.default.moveItem(at: folder.url, to: moved)
        #expect(performing: { try database.changeEncryptionKey(Self.other) }, throws: isCode(.cannotOpenFile))
        try filled(nil)
        #expect(performing: { try database.changeEncryptionKey(Self.other) }, throws: isCode(.cannotOpenFile))
        #expect(try encrypted.open(nil).hasMarkers(Self.few))
    }

    @Test func aDamagedBlobLeavesTheFormerKey() throws {
        let database = try encrypted.open(nil)
        try database.fillWithMarkers(0..<3)
        let file = try #require(encrypted.folder.blobFiles.first)
        try Data("damage".utf8).write(to: file)
        #expect(
            performing: { try database.changeEncryptionKey(EncryptedFolder.password) }, throws: isCode(.corruptData))
        #expect(isTidy)
        try database.defaultCollection().put("a", [:])
        try database.close()
        #expect(try encrypted.open(nil).defaultCollection().count == 1)
    }
}
