import DocumentStore
import Foundation

/// The key that opens the attachments of a database folder. They are sealed on the disk in both cases.
public enum AttachmentKey: Sendable {
    /// A file in the folder that only its owner may read: protects copies of the attachments, not a stolen laptop.
    case keyFile
    /// Without the passphrase no one can read the attachments, not even their owner.
    case passphrase(String)
}

extension AttachmentKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the passphrase: descriptions end up in logs.
    public var description: String {
        switch self {
        case .keyFile: "key file"
        case .passphrase: "passphrase"
        }
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Without members: a dump must not have the passphrase.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How the attachments of a database folder are kept.
public enum AttachmentProtection: Sendable, Hashable {
    /// As plain files, or with the key of an encrypted database.
    case none
    /// Sealed, with the key in a file of the folder.
    case keyFile
    /// Sealed, with a key that only the passphrase opens.
    case passphrase
}

extension DatabaseConfiguration {
    /// Seals the attachments of the database; an existing folder must have been made with sealed attachments.
    public mutating func sealAttachments(with key: AttachmentKey) {
        blobStorage = SealedBlobStorageProvider(key: key)
    }
}

extension Database {
    /// How the attachments of a database folder are kept, so that a program knows before opening it whether to ask for
    /// a passphrase; `nil` if there is no database.
    ///
    /// - Throws: no error in this version. It is marked `throws` because a later version may have to read files for the answer.
    public static func attachmentProtection(ofFolder path: String) throws -> AttachmentProtection? {
        guard let folder = DatabaseLayout(folder: path) else { return nil }
        return VaultFiles(folder.attachments).protection
    }

    /// Protects the attachments in another way from now on. The attachments are not written again: only the key that
    /// seals all their keys is sealed again, so it takes a moment, however many there are.
    ///
    /// - Throws: `.wrongAttachmentStorage` if the attachments are not sealed; `.invalidParameter` for an empty passphrase;
    ///   `.diskFull`, `.notWritable` and `.ioError` if the key cannot be stored; `.notOpen` if the database is closed.
    public func changeAttachmentKey(to key: AttachmentKey) throws {
        try withBlobStorage { storage in
            guard let provider = config.blobStorage as? any VaultProvider, let storage = try provider.opened(storage)
            else {
                throw StoreError(
                    .wrongAttachmentStorage, message: "The attachments of this folder are not sealed.",
                    context: ["database": name], hint: "Copy the documents into a new database that seals them.")
            }
            try provider.protect(storage, by: key)
        }
    }
}
