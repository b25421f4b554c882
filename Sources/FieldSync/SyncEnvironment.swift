import FieldModels
import FieldRecords
import Foundation

/// The records to exchange, and the app's part in it. A program of its own needs no more than an open folder:
/// `SyncEnvironment(field: field)`.
public struct SyncEnvironment {
    public let field: FieldDatabase
    /// The present settings, read each time, because another process may sign in.
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

    /// The person who signed in, as the author of changes.
    func author() throws -> Author {
        let settings = try settings()
        return Author(name: settings.user, moment: now(), device: settings.device ?? DeviceName.host)
    }
}
