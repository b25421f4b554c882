import DocumentStore
import Foundation

/// Where a worker's things are: beside the database, the settings and what the shell remembers.
public struct FieldFolder: Sendable, Hashable {
    public let url: URL

    public init(path: String) {
        url = URL(fileURLWithPath: HomeFolder.expanding(path), isDirectory: true).standardizedFileURL
    }

    public var settingsFile: URL { url.appendingPathComponent("settings.json") }
    public var historyFile: URL { url.appendingPathComponent("history") }
    public var reports: URL { url.appendingPathComponent("reports", isDirectory: true) }

    /// Whether `init` has made the folder.
    public var isInitialized: Bool { FileManager.default.fileExists(atPath: settingsFile.path) }

    /// Why it cannot be opened where `init` has not made it, or its settings were removed.
    var missing: SettingsError {
        SettingsError(DatabaseLayout(folder: url.path) == nil ? .noFolder : .noSettings, path: url.path)
    }

    /// Writes a file that only its owner can read; it is whole or not there. A file in its place is replaced.
    ///
    /// - Parameter isDurable: it is there even if the computer loses its current the moment after.
    public static func writePrivately(_ bytes: [UInt8], to file: URL, isDurable: Bool = true) throws {
        let temporary = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).new")
        try? FileManager.default.removeItem(at: temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: file.path]) }
        let handle = try FileHandle(forWritingTo: temporary)
        do {
            try handle.write(contentsOf: Data(bytes))
            if isDurable { try handle.synchronize() }
            try handle.close()
        } catch {
            try? handle.close()
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
        guard rename(temporary.path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }
}
