import Foundation

/// Where a database lies and how it is kept.
public struct DatabaseConfiguration: Sendable {
    /// The folder that holds database folders.
    public var directory: String
    /// A person's save is always on the disk when it returns; with `true`, pulled batches are too.
    public var fullSync: Bool = false

    /// How blobs are kept; the attachment vault puts itself here.
    package var blobStorage: any BlobStorageProvider = PlainBlobStorageProvider()

    /// Whether nobody else may have the folder open meanwhile, this process included.
    package var isExclusive = false

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
