@testable import AttachmentVault
import DocumentStore
import DocumentValues
import Foundation
import SodiumCrypto
import Testing

@Suite struct VaultTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    static let marker = Array("the roof of site 17 leaks".utf8)
    static let photo = Array((0..<20_000).map { _ in marker }.joined())

    // MARK: On the disk

    @Test func nothingOfAnAttachmentCanBeFoundOnTheDisk() throws {
        let database = try folder.open(.passphrase("one"))
        let blob = try database.addPhoto("a", Self.photo)
        let digest = try #require(blob.blobDigest)
        #expect(folder.files(containing: Self.marker).isEmpty)
        #expect(folder.names.allSatisfy { !$0.contains(digest.text.dropFirst(5)) })
        #expect(folder.names.allSatisfy { !$0.contains(Hexadecimal.encode(digest.bytes)) })
        try database.close()
        #expect(folder.files(containing: Self.marker).isEmpty)
        #expect(folder.files(containing: Array("one".utf8)).filter { $0.hasPrefix("vault") }.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func aKeyFileThatIsNoneIsRefused(isPipe: Bool) throws {
        try folder.open(.keyFile).close()
        let key = try #require(folder.names.first { $0.hasSuffix("vault.key") })
        let file = folder.url.appendingPathComponent(key)
        let elsewhere = folder.url.appendingPathComponent("elsewhere")
        try FileManager.default.moveItem(at: file, to: elsewhere)
        try #require((isPipe ? mkfifo(file.path, 0o600) : symlink(elsewhere.path, file.path)) == 0)
        #expect(
            "a \(isPipe ? "pipe" : "link")", performing: { try folder.open(.keyFile) }, throws: isCode(.cannotOpenFile))
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_001])
    func attachmentsOfAnySizeComeBack(size: Int) throws {
        let database = try folder.open(.keyFile)
        let content = SecureRandom.bytes(size)
        let metadata = try database.blobStorage().store(content)
        #expect(metadata.digest == BlobDigest(of: content) && metadata.length == UInt64(size))
        #expect(try database.blobStorage().length(of: metadata.digest) == UInt64(size))
        #expect(try database.blobStorage().read(metadata.digest) == content)
    }

    @Test func attachmentsAreThereAfterReopening() throws {
        let database = try folder.open(.passphrase("one"))
        try database.addPhoto("a", Self.photo)
        try database.close()
        let again = try folder.open(.passphrase("one"))
        let document = try #require(try again.defaultCollection().document(id: "a"))
        #expect(document.blob(forKey: "photo")?.content == Data(Self.photo))
        let stream = try #require(document.blob(forKey: "photo")?.contentStream)
        #expect(stream.readAll() == Self.photo)
    }

    @Test func everyTruncationIsNoticed() throws {
        let database = try folder.open(.keyFile)
        let content = SecureRandom.bytes(150_000)
        let digest = try database.blobStorage().store(content).digest
        let file = try #require(folder.blobFiles.first)
        let whole = try Data(contentsOf: file)
        for length in [0, 3, 50, 99, 100, 116, 117, 65_653, 131_206, whole.count - 1] {
            try whole.prefix(length).write(to: file)
            #expect("\(length)", performing: { try database.blobStorage().read(digest) }, throws: isCode(.corruptData))
        }
        try (whole + [0]).write(to: file)
        #expect(performing: { try database.blobStorage().read(digest) }, throws: isCode(.corruptData))
        try whole.write(to: file)
        #expect(try database.blobStorage().read(digest) == content)
    }

    @Test func exchangedFilesAreNoticed() throws {
        let storage = try folder.open(.keyFile).blobStorage()
        let digest = try storage.store([1]).digest
        let file = try #require(folder.blobFiles.first)
        _ = try storage.store([2])
        let other = try #require(folder.blobFiles.first { $0 != file })
        try Data(contentsOf: other).write(to: file)
        #expect(performing: { try storage.read(digest) }, throws: isCode(.corruptData))
    }

    @Test func anUnfinishedAttachmentIsNotThere() throws {
        let storage = try folder.open(.keyFile).blobStorage()
        let writer = try storage.writer()
        try writer.write(Self.photo)
        #expect(folder.blobFiles.isEmpty)
        #expect(performing: { try writer.finish(expecting: BlobDigest(of: [9])) }, throws: isCode(.blobMismatch))
        writer.cancel()
        #expect(folder.files(named: "incoming").isEmpty && folder.blobFiles.isEmpty)
    }

    @Test func whatAKilledProcessLeftUnfinishedGoesWithTheNextOpening() throws {
        let database = try folder.open(.keyFile)
        let writer = try database.blobStorage().writer()
        try writer.write(Self.photo)
        let draft = try #require(folder.files(named: "incoming").first)
        let abandoned = draft.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
        try Data([4, 5, 6]).write(to: abandoned)
        // One that is being written stays, no matter who opens the folder.
        try folder.open(.keyFile).close()
        #expect(folder.files(named: "incoming").map(\.lastPathComponent) == [draft.lastPathComponent])
        writer.cancel()
        try database.close()
    }

    @Test func purgingTakesTheAttachmentFromTheDisk() throws {
        let database = try folder.open(.keyFile)
        try database.addPhoto("a", Self.photo)
        try database.addPhoto("b", Self.photo)
        let collection = try database.defaultCollection()
        try collection.purge(id: "a")
        #expect(folder.blobFiles.count == 1, "the other document still refers to it")
        try collection.purge(id: "b")
        #expect(folder.blobFiles.isEmpty)
    }

    // MARK: Copies

    private func copy(sealedWith key: AttachmentKey?) throws {
        var configuration = folder.configuration
        if let key { configuration.blobStorage = SealedBlobStorageProvider(key: key, strength: .testsOnly) }
        try Database.copy(fromPath: folder.database.path, toDatabase: "copy", withConfig: configuration)
    }

    /// Who gives a key takes the copy for sealed.
    @Test func aCopyOfPlainAttachmentsIsNotMadeWithAKey() throws {
        let database = try Database(name: "vault", config: folder.configuration)
        try database.addPhoto("a", Self.photo)
        for key in [AttachmentKey.passphrase("one"), .keyFile] {
            #expect(performing: { try copy(sealedWith: key) }, throws: isCode(.wrongAttachmentStorage))
        }
        #expect(!Database.exists(withName: "copy", inDirectory: folder.url.path))
        #expect(folder.files(named: "vault.").isEmpty)
        try copy(sealedWith: nil)
        #expect(Database.exists(withName: "copy", inDirectory: folder.url.path))
        try database.close()
    }

    @Test func aCopyOpensWithTheKeyOfTheOriginal() throws {
        let database = try folder.open(.passphrase("one"))
        try database.addPhoto("a", Self.photo)
        #expect(performing: { try copy(sealedWith: .passphrase("two")) }, throws: isCode(.wrongPassphrase))
        #expect(performing: { try copy(sealedWith: .keyFile) }, throws: isCode(.wrongAttachmentStorage))
        #expect(!Database.exists(withName: "copy", inDirectory: folder.url.path))
        try copy(sealedWith: .passphrase("one"))
        var configuration = folder.configuration
        configuration.blobStorage = SealedBlobStorageProvider(key: .passphrase("one"), strength: .testsOnly)
        let copied = try Database(name: "copy", config: configuration)
        let document = try copied.defaultCollection().document(id: "a")
        #expect(document?.blob(forKey: "photo")?.content == Data(Self.photo))
        try copied.close()
        try database.close()
    }

    // MARK: Keys

    @Test func aWrongPassphraseIsRefusedWithoutSayingMore() throws {
        try folder.open(.passphrase("one")).close()
        let error = #expect(throws: StoreError.self) { try folder.open(.passphrase("two")) }
        #expect(error?.code == .wrongPassphrase)
        #expect(error.map { !"\($0) \($0.context)".contains("two") } == true)
        #expect(try folder.open(.passphrase("one")).path != nil)
        #expect(performing: { try folder.open(.passphrase("")) }, throws: isCode(.wrongPassphrase))
    }

    @Test func thePassphraseIsInNoDescription() {
        let key = AttachmentKey.passphrase("secret")
        #expect(!"\(key) \(String(reflecting: key)) \(String(describing: [key]))".contains("secret"))
        var text = ""
        dump(key, to: &text)
        #expect(!text.contains("secret"))
    }

    @Test func aPassphraseCanBeChangedSetAndGivenUp() throws {
        let database = try folder.open(.keyFile)
        let digest = try database.blobStorage().store(Self.photo).digest
        #expect(try Database.attachmentProtection(ofFolder: folder.database.path) == .keyFile)
        for key in [AttachmentKey.passphrase("one"), .passphrase("two"), .keyFile] {
            try database.changeAttachmentKey(to: key)
            #expect(folder.files(named: "vault").count == 1)
            let other = try folder.open(key)
            #expect(try other.blobStorage().read(digest) == Self.photo)
            try other.close()
        }
        #expect(performing: { try folder.open(.passphrase("two")) }, throws: isCode(.wrongAttachmentStorage))
        #expect(
            performing: { try database.changeAttachmentKey(to: .passphrase("")) }, throws: isCode(.invalidParameter))
    }

    /// A process that is killed in the middle of a change leaves a vault that opens, in the old way or in the new one; once it
    /// has opened by the passphrase, no key lies beside it.
    @Test(arguments: [false, true]) func anInterruptedChangeLocksNobodyOut(givesPassphraseUp: Bool) throws {
        let (old, new): (AttachmentKey, AttachmentKey) =
            givesPassphraseUp ? (.passphrase("one"), .keyFile) : (.keyFile, .passphrase("one"))
        var done = 0
        var count = 1
        while done <= count {
            let folder = try VaultFolder()
            let database = try folder.open(old)
            let digest = try database.blobStorage().store(Self.photo).digest
            try database.close()
            let files = VaultFiles(folder.database.appendingPathComponent("attachments"), strength: .testsOnly)
            let steps = try files.steps(protecting: try files.open(with: old), by: new)
            count = steps.count
            for step in steps.prefix(done) { try files.perform(step) }
            let usesPassphrase = try Database.attachmentProtection(ofFolder: folder.database.path) == .passphrase
            let again = try folder.open(usesPassphrase ? .passphrase("one") : .keyFile)
            #expect(try again.blobStorage().read(digest) == Self.photo, "after \(done) of \(count) steps")
            try again.close()
            #expect(!usesPassphrase || folder.files(named: "vault.key").isEmpty)
            #expect(done < count || usesPassphrase != givesPassphraseUp)
            done += 1
        }
        #expect(count >= 2)
    }

    /// As earlier versions left it: they overwrote the sealed key before they removed it.
    @Test func aSealedKeyOfZerosIsNone() throws {
        let database = try folder.open(.keyFile)
        let digest = try database.blobStorage().store(Self.photo).digest
        try database.close()
        let sealed = folder.database.appendingPathComponent("attachments/vault.json")
        try Data(count: 200).write(to: sealed)
        #expect(try Database.attachmentProtection(ofFolder: folder.database.path) == .keyFile)
        #expect(try folder.open(.keyFile).blobStorage().read(digest) == Self.photo)
    }

    @Test func aLostKeyOfQuarantinedEditsIsNotReplaced() throws {
        let database = try folder.open(.keyFile)
        try database.defaultCollection().save(document: MutableDocument(id: "a", data: ["note": "x"]))
        let store = try ReplicationStore(database: database, remote: "wss://gateway/db")
        #expect(try store.purge(["a"], in: .default, quarantine: true, reason: "access lost") == ["a"])
        try database.close()
        try FileManager.default.removeItem(at: try #require(folder.files(named: "vault").first))
        #expect(performing: { try folder.open(.keyFile) }, throws: isCode(.corruptData))
    }

    @Test func theKeyFileIsForItsOwnerAlone() throws {
        _ = try folder.open(.keyFile)
        let file = try #require(folder.files(named: "vault").first)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aFolderIsOpenedTheWayItWasMade() throws {
        let plain = try Database(name: "plain", config: folder.configuration)
        try plain.close()
        var sealed = folder.configuration
        sealed.blobStorage = SealedBlobStorageProvider(key: .keyFile, strength: .testsOnly)
        #expect(performing: { try Database(name: "plain", config: sealed) }, throws: isCode(.wrongAttachmentStorage))
        try folder.open(.passphrase("one")).close()
        #expect(
            performing: { try Database(name: "vault", config: folder.configuration) },
            throws: isCode(.wrongAttachmentStorage))
        #expect(performing: { try folder.open(.keyFile) }, throws: isCode(.wrongAttachmentStorage))
        #expect(try Database.attachmentProtection(ofFolder: folder.database.path) == .passphrase)
        #expect(
            try Database.attachmentProtection(ofFolder: folder.url.appendingPathComponent("none").path) == nil)
    }

    @Test func aLostKeyIsNotReplacedByANewOne() throws {
        let database = try folder.open(.keyFile)
        try database.addPhoto("a", Self.photo)
        try database.close()
        try FileManager.default.removeItem(at: try #require(folder.files(named: "vault").first))
        #expect(performing: { try folder.open(.keyFile) }, throws: isCode(.corruptData))
    }

    // MARK: Rows

    @Test func quarantinedEditsAreSealed() throws {
        let database = try folder.open(.passphrase("one"))
        let collection = try database.defaultCollection()
        try collection.save(
            document: MutableDocument(id: "a", data: ["note": String(decoding: Self.marker, as: UTF8.self)]))
        let store = try ReplicationStore(database: database, remote: "wss://gateway/db")
        #expect(try store.purge(["a"], in: .default, quarantine: true, reason: "access lost") == ["a"])
        let kept = try #require(try database.quarantinedDocuments().first)
        #expect(kept.documentID == "a" && kept.body.contains(Self.marker))
        try database.close()
        #expect(folder.files(containing: Self.marker).isEmpty)
        let again = try folder.open(.passphrase("one"))
        try again.restoreQuarantinedDocument(kept.id)
        #expect(try again.defaultCollection().document(id: "a")?.string(forKey: "note") != nil)
        #expect(try again.quarantinedDocuments().isEmpty)
    }

    /// Nobody can read them any more, and they would keep a new key from being made. They are moved, not destroyed.
    @Test func whatIsSealedWithALostKeyMakesRoomForANewOne() throws {
        let database = try folder.open(.passphrase("one"))
        try database.addPhoto("b", Self.photo)
        try database.defaultCollection().save(document: MutableDocument(id: "a", data: ["note": "x"]))
        let store = try ReplicationStore(database: database, remote: "wss://gateway/db")
        #expect(try store.purge(["a"], in: .default, quarantine: true, reason: "access lost") == ["a"])
        try database.close()
        for count in 1...2 {
            var configuration = folder.configuration
            configuration.leaveAttachmentsLocked()
            configuration.isExclusive = true
            let locked = try Database(name: "vault", config: configuration)
            let moved = try locked.moveLockedAttachments()
            try locked.close()
            #expect(moved.folder.lastPathComponent == "attachments-locked-\(count)")
            #expect(moved.rows == (count == 1 ? 1 : 0))
            let again = try folder.open(.passphrase("two"))
            #expect(try again.quarantinedDocuments().isEmpty)
            #expect(try again.defaultCollection().document(id: "b") != nil)
            #expect(try again.blobStorage().read(again.blobStorage().store([1]).digest) == [1])
            try again.close()
        }
        #expect(folder.files(named: "attachments-locked-1/quarantine-1.json").count == 1)
        #expect(folder.files(named: "attachments-locked-1/").count == 3, "the vault's key, the photo, the row")
    }
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool { Data(self).range(of: Data(other)) != nil }
}
