import Foundation
import SodiumCrypto

/// Where a database is and how it is stored.
public struct DatabaseConfiguration: Sendable {
    /// The folder that holds database folders.
    public var directory: String
    /// When a save is on the disk, so that it survives a power cut. In each case a save that has returned survives the end
    /// of the process, and the database stays intact.
    public var durability: Durability = .immediate

    /// Encrypts the whole database: documents, indexes, attachments. `nil`, the default, leaves it plain. A new database is
    /// made with it; one that is there opens with its own key only: see ``Database/changeEncryptionKey(_:)``.
    public var encryptionKey: EncryptionKey?

    /// How much work guessing a new password costs; less than the default is for tests.
    package var passwordStrength = PasswordStrength.moderate

    /// How blobs are kept; the attachment vault puts itself here.
    package var blobStorage: any BlobStorageProvider = PlainBlobStorageProvider()

    /// Whether the folder may not be open anywhere else at the same time, this process included.
    package var isExclusive = false

    /// How the blobs of the database are kept: those of an encrypted one are sealed in any case.
    var blobKind: BlobStorageKind {
        encryptionKey != nil && blobStorage.kind == .plain ? .database : blobStorage.kind
    }

    /// In the default directory, with attachments as plain files.
    public init() { directory = Self.defaultDirectory }

    /// A copy; of `nil` a new one.
    public init(config: DatabaseConfiguration?) { self = config ?? DatabaseConfiguration() }

    /// What a power cut, or a crash of the system, may take. It never takes a part of a save or a batch, and never an older
    /// save while a newer one is kept.
    public enum Durability: Sendable, Hashable {
        /// The last saves: those that SQLite has not copied into the file yet (it does so after each 1,000 pages, which are
        /// 8 MB), and that the system has not written to the disk by itself (it does so after about half a minute). A save does
        /// not wait for the disk, and so takes a fraction of the time.
        case deferred
        /// No save whose call has returned. Documents that were pulled since the last save may be lost: the next
        /// replication brings them again.
        case immediate
        /// Nothing, not even pulled documents.
        case full
    }

    /// Of ``fullSync``.
    public static let defaultFullSync = false

    /// Couchbase Lite's name: `true` is ``Durability/full``. `false`, the default, is ``Durability/immediate``, unless
    /// ``durability`` is ``Durability/deferred``.
    public var fullSync: Bool {
        get { durability == .full }
        set {
            if newValue { durability = .full } else if durability == .full { durability = .immediate }
        }
    }

    /// `$XDG_DATA_HOME/fieldbook`, which usually is `~/.local/share/fieldbook`.
    public static var defaultDirectory: String {
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/fieldbook" }
        return NSHomeDirectory() + "/.local/share/fieldbook"
    }
}
