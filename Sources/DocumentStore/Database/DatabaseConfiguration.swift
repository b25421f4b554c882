import Foundation

/// Where a database lies and how it is kept.
public struct DatabaseConfiguration: Sendable {
    /// The folder that holds database folders.
    public var directory: String
    /// A person's save is always on the disk when it returns; with `true`, pulled batches are too.
    public var fullSync: Bool = false

    /// How blobs are kept; the attachment vault puts itself here.
    package var blobStorage: any BlobStorageProvider = PlainBlobStorageProvider()

    /// In the default directory, with attachments as plain files.
    public init() { directory = Self.defaultDirectory }

    /// A copy; of `nil` a new one.
    public init(config: DatabaseConfiguration?) { self = config ?? DatabaseConfiguration() }

    /// `$XDG_DATA_HOME/fieldbook`, which usually is `~/.local/share/fieldbook`.
    public static var defaultDirectory: String {
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/fieldbook" }
        return NSHomeDirectory() + "/.local/share/fieldbook"
    }
}

/// What to do when the document has been changed by somebody else since it was read.
public enum ConcurrencyControl: UInt8, Sendable {
    /// What is saved last replaces what somebody else has saved.
    case lastWriteWins = 0
    /// Where somebody else has saved, nothing is saved, and the answer is false.
    case failOnConflict
}

/// What `Database.performMaintenance(type:)` can do.
public enum MaintenanceType: UInt8, Sendable {
    /// Removes blobs that no document refers to and gives unused space back.
    case compact = 0
    /// Builds the indexes again.
    case reindex
    /// Checks the file, every document and every blob reference; throws `.corruptData` with what was found.
    case integrityCheck
    /// Updates the statistics that queries are planned with, where they are out of date.
    case optimize
    /// Updates all of them.
    case fullOptimize
}
