import FieldModels
import FieldRecords
import Foundation

/// Whose records are exchanged, and what the app has to say about it. A program of its own needs no more than an open
/// folder: `SyncEnvironment(field: field)`.
public struct SyncEnvironment {
    public let field: FieldDatabase
    /// The settings as they are now: another process may sign in meanwhile.
    public let settings: () throws -> FolderSettings
    public let now: @Sendable () -> Timestamp
    public let wording: any SyncWording

    public init(
        field: FieldDatabase, wording: any SyncWording = PlainWording(), settings: (() throws -> FolderSettings)? = nil,
        now: @escaping @Sendable () -> Timestamp = { Timestamp(secondsSince1970: Int64(Date().timeIntervalSince1970)) }
    ) {
        self.field = field
        self.wording = wording
        self.settings = settings ?? { try FolderSettings(of: field.folder) }
        self.now = now
    }

    /// The person who signed in, as who changes records.
    func author() throws -> Author {
        let settings = try settings()
        return Author(name: settings.user, moment: now(), device: settings.device ?? DeviceName.host)
    }
}
