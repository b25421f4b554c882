import AttachmentVault
import DocumentStore
import Foundation
import SodiumCrypto
import Testing

/// Attachments with a key of their own in a database that is encrypted.
@Suite struct EncryptedVaultTests {
    private let folder: VaultFolder
    private let text = Array("a photo of the kitchen".utf8)

    init() throws { folder = try VaultFolder() }

    private func open(_ key: EncryptionKey?, attachments: AttachmentKey? = nil) throws -> Database {
        var configuration = folder.configuration
        configuration.encryptionKey = key
        configuration.passwordStrength = .testsOnly
        if let attachments {
            configuration.blobStorage = SealedBlobStorageProvider(key: attachments, strength: .testsOnly)
        }
        return try Database(name: "vault", config: configuration)
    }

    @Test func theyKeepTheirKeyWhenTheDatabaseGetsAnother() throws {
        let database = try open(nil, attachments: .passphrase("one"))
        try database.addPhoto("a", text)
        let files = folder.blobFiles.map(\.lastPathComponent)
        for key in [EncryptionKey.password("p"), .key(Data(0..<32)), nil] {
            try database.changeEncryptionKey(key)
            #expect(folder.blobFiles.map(\.lastPathComponent) == files)
            #expect(try database.defaultCollection().document(id: "a")?.blob(forKey: "photo")?.content == Data(text))
        }
        try database.changeEncryptionKey(.password("p"))
        try database.changeAttachmentKey(to: .passphrase("two"))
        try database.close()
        #expect(
            performing: { _ = try open(.password("p"), attachments: .passphrase("one")) },
            throws: isCode(.wrongPassphrase))
        let again = try open(.password("p"), attachments: .passphrase("two"))
        #expect(try again.defaultCollection().document(id: "a")?.blob(forKey: "photo")?.content == Data(text))
    }

    @Test func oneWithoutAttachmentKeyIsNotOpenedWithOne() throws {
        let database = try open(.password("p"))
        try database.addPhoto("a", text)
        #expect(folder.files(containing: text).isEmpty && folder.blobFiles.count == 1)
        #expect(performing: { try database.changeAttachmentKey(to: .keyFile) }, throws: isCode(.wrongAttachmentStorage))
        try database.close()
        let error = #expect(throws: StoreError.self) { try open(.password("p"), attachments: .keyFile) }
        #expect(error?.code == .wrongAttachmentStorage && error?.hint == "Open it without an attachment key.")
        #expect(try Database.attachmentProtection(ofFolder: folder.database.path) == AttachmentProtection.none)
    }
}
