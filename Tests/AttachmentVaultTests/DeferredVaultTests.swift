@testable import AttachmentVault
import Dispatch
import DocumentStore
import DocumentValues
import Foundation
import SodiumCrypto
import Synchronization
import Testing

/// Vaults that are opened without their key.
@Suite struct DeferredVaultTests {
    let folder: VaultFolder
    private static let photo = VaultTests.photo

    init() throws { folder = try VaultFolder() }

    private func open(_ passphrase: String?) throws -> Database {
        var configuration = folder.configuration
        configuration.blobStorage = DeferredBlobStorageProvider(passphrase: passphrase, strength: .testsOnly)
        return try Database(name: "vault", config: configuration)
    }

    /// A folder with a photo.
    private func digest() throws -> BlobDigest {
        let database = try folder.open(.passphrase("one"))
        let digest = try #require(try database.addPhoto("a", Self.photo).blobDigest)
        try database.close()
        return digest
    }

    @Test func theFirstPhotoOpensTheKey() throws {
        let digest = try digest()
        let database = try open("one")
        #expect(try database.defaultCollection().document(id: "a") != nil)
        #expect(try database.blobStorage().access == .onRequest)
        #expect(try database.blobStorage().read(digest) == Self.photo)
        #expect(try database.blobStorage().access == .open)
        try database.addPhoto("b", Array(Self.photo.dropFirst()))
        try database.close()
        let again = try folder.open(.passphrase("one"))
        let photo = try again.defaultCollection().document(id: "b")?.blob(forKey: "photo")
        #expect(photo?.content == Data(Self.photo.dropFirst()))
    }

    /// No photo may be sealed with another key than that of the folder.
    @Test(arguments: ["two", "", nil] as [String?]) func withoutThePassphraseNothingIsSealed(passphrase: String?) throws
    {
        let digest = try digest()
        let files = folder.names.sorted()
        let database = try open(passphrase)
        let storage = try database.blobStorage()
        for _ in 1...2 {
            #expect(performing: { try storage.contains(digest) }, throws: isCode(.wrongPassphrase))
            #expect(performing: { try storage.writer() }, throws: isCode(.wrongPassphrase))
            #expect(performing: { try storage.sealer?.seal([1], context: "") }, throws: isCode(.wrongPassphrase))
            #expect(
                performing: { try database.addPhoto("b", Self.photo + [1]) }, throws: isCode(.wrongPassphrase))
        }
        #expect(
            performing: { try database.changeAttachmentKey(to: .passphrase("three")) }, throws: isCode(.wrongPassphrase)
        )
        #expect(try database.defaultCollection().document(id: "b") == nil)
        #expect(storage.access == .locked)
        try database.close()
        #expect(folder.names.sorted() == files)
        #expect(try folder.open(.passphrase("one")).blobStorage().read(digest) == Self.photo)
    }

    /// A key that was there at the opening is not replaced by a new one.
    @Test func aKeyThatIsLostInBetweenIsNotReplaced() throws {
        let digest = try digest()
        let database = try open("one")
        try FileManager.default.removeItem(at: try #require(folder.files(named: "vault.json").first))
        #expect(performing: { try database.blobStorage().read(digest) }, throws: isCode(.corruptData))
        #expect(performing: { try database.blobStorage().writer() }, throws: isCode(.corruptData))
        #expect(folder.files(named: "vault.").isEmpty)
    }

    @Test func aNewFolderGetsItsKeyAtOnce() throws {
        let database = try open("one")
        #expect(try database.blobStorage().access == .open)
        #expect(try Database.attachmentProtection(ofFolder: folder.database.path) == .passphrase)
        try database.close()
        try folder.open(.passphrase("one")).close()
    }

    @Test func aChangeOfThePassphraseOpensTheKey() throws {
        let digest = try digest()
        let database = try open("one")
        try database.changeAttachmentKey(to: .passphrase("two"))
        #expect(try database.blobStorage().read(digest) == Self.photo)
        try database.close()
        #expect(performing: { try folder.open(.passphrase("one")) }, throws: isCode(.wrongPassphrase))
        #expect(try folder.open(.passphrase("two")).blobStorage().read(digest) == Self.photo)
    }

    @Test func threadsThatNeedTheKeyAtTheSameTimeGetTheSame() throws {
        let digest = try digest()
        let storage = try open("one").blobStorage()
        let found = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let isThere = (try? storage.contains(digest)) == true
            found.withLock { $0 += isThere ? 1 : 0 }
        }
        #expect(found.withLock { $0 } == 8)
    }

    @Test func quarantinedEditsAreOpenedOnRequest() throws {
        let database = try folder.open(.passphrase("one"))
        try database.defaultCollection().save(document: MutableDocument(id: "a", data: ["note": "x"]))
        let store = try ReplicationStore(database: database, remote: "wss://gateway/db")
        #expect(try store.purge(["a"], in: .default, quarantine: true, reason: "access lost") == ["a"])
        try database.close()
        let locked = try open(nil)
        #expect(try locked.quarantinedDocumentCount() == 1)
        #expect(performing: { try locked.quarantinedDocuments() }, throws: isCode(.wrongPassphrase))
        try locked.close()
        #expect(try open("one").quarantinedDocuments().map(\.documentID) == ["a"])
    }

    // MARK: Blobs that nothing refers to any more

    /// Without the key their files cannot be found.
    @Test(arguments: [nil, "two"] as [String?]) func theNextOpeningWithTheKeyRemovesThem(passphrase: String?) throws {
        _ = try digest()
        let locked = try open(passphrase)
        try locked.defaultCollection().purge(id: "a")
        try locked.close()
        #expect(folder.blobFiles.count == 1)
        try open(nil).close()
        try open("one").close()
        #expect(folder.blobFiles.count == 1)
        try folder.open(.passphrase("one")).close()
        #expect(folder.blobFiles.isEmpty)
    }

    @Test func aBlobThatIsNeededAgainStays() throws {
        let digest = try digest()
        let locked = try open(nil)
        let body = try #require(try locked.defaultCollection().document(id: "a")?.toJSON())
        try locked.defaultCollection().purge(id: "a")
        try locked.close()
        let again = try open("one")
        try again.defaultCollection().save(document: try MutableDocument(id: "b", json: body))
        try again.close()
        let database = try folder.open(.passphrase("one"))
        #expect(try database.blobStorage().read(digest) == Self.photo)
    }

    @Test func oneThatGoesWithTheKeyIsRemovedAtOnce() throws {
        _ = try digest()
        let database = try open("one")
        try database.defaultCollection().purge(id: "a")
        #expect(folder.blobFiles.isEmpty)
    }
}
