import Foundation

/// Where a database lies and how it is kept.
public struct DatabaseConfiguration: Sendable {
    /// The folder that holds database folders.
    public var directory: String
    /// When what is saved is on the disk, beyond the reach of a power cut. A save that has returned outlives the end of the
    /// process in each case, and the database is whole.
    public var durability: Durability = .immediate

    /// How blobs are kept; the attachment vault puts itself here.
    package var blobStorage: any BlobStorageProvider = PlainBlobStorageProvider()

    /// Whether nobody else may have the folder open meanwhile, this process included.
    package var isExclusive = false

    /// In the default directory, with attachments as plain files.
    public init() { directory = Self.defaultDirectory }

    /// A copy; of `nil` a new one.
    public init(config: DatabaseConfiguration?) { self = config ?? DatabaseConfiguration() }

    /// What a power cut, or a crash of the system, may take; never a part of a save or of a batch, nor one that is older than
    /// another that stays.
    public enum Durability: Sendable, Hashable {
        /// The last saves: those that neither SQLite has copied into the file yet, as it does after each 4 MB, nor the system
        /// has written out by itself, which takes it half a minute or so. A save does not wait for the disk, and so takes a
        /// fraction of the time.
        case deferred
        /// Nothing that was saved before the call returned. Pulled documents may go that came since the last save: the next
        /// replication brings them again.
        case immediate
        /// Nothing, pulled documents among it.
        case full
    }

    /// Couchbase Lite's name: `true` is ``Durability/full``. `false`, which it is at first, is ``Durability/immediate``, unless
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
