import DocumentStore
import DocumentValues
import Foundation
import Glibc

/// A worker's folder: the database, the settings and the history of the shell.
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

    /// Removes the files of writes that a crash interrupted: they have whole settings, including passwords.
    func removeInterruptedWrites(now: Date = Date()) throws {
        for folder in [url, reports, url.appendingPathComponent("sync", isDirectory: true)] {
            guard FileManager.default.fileExists(atPath: folder.path) else { continue }
            for file in try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
            where Self.isTemporary(file.lastPathComponent) {
                let written = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
                // Another program may be writing just now.
                guard let written, now.timeIntervalSince(written) > FieldRecordsLimits.interruptedWrite else {
                    continue
                }
                unlink(file.path)
            }
        }
    }

    /// Removes the lines that were typed, so that nothing of them is left on the disk: they name what may have been taken from
    /// this laptop.
    public func eraseHistory() throws {
        guard FileManager.default.fileExists(atPath: historyFile.path) else { return }
        try BlobFolder(url).overwrite(historyFile)
        guard unlink(historyFile.path) == 0 || errno == ENOENT else { throw Self.failure(historyFile) }
    }

    private static let temporarySuffix = ".new"

    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasExactPrefix("."), name.hasExactSuffix(temporarySuffix) else { return false }
        let identifier = name.utf8.dropLast(temporarySuffix.utf8.count).suffix(UUID().uuidString.utf8.count)
        return UUID(uuidString: String(decoding: identifier, as: UTF8.self)) != nil
    }

    /// Writes a file that only its owner can read; it is whole or not there. A file of that name is replaced.
    ///
    /// - Parameter isDurable: it is there even if the computer loses its current the moment after.
    public static func writePrivately(_ bytes: [UInt8], to file: URL, isDurable: Bool = true) throws {
        let whole = try WholeFile(file)
        try whole.write(bytes)
        try whole.finish(isDurable: isDurable)
    }

    /// The name of a file until it is whole.
    static func temporary(for file: URL) -> URL {
        file.deletingLastPathComponent().appendingPathComponent(
            ".\(file.lastPathComponent).\(UUID().uuidString)\(temporarySuffix)")
    }

    /// Makes another program's file durable, too, even if the computer loses its power the moment after.
    public static func synchronize(_ file: URL) throws {
        try synchronize(file, flags: 0)
        try synchronizeFolder(file.deletingLastPathComponent())
    }

    /// Before that a file's name may be gone with the current.
    static func synchronizeFolder(_ folder: URL) throws { try synchronize(folder, flags: O_DIRECTORY) }

    private static func synchronize(_ url: URL, flags: Int32) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw failure(url) }
        defer { close(descriptor) }
        // Some file systems cannot do it.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure(url) }
    }

    static func failure(_ file: URL) -> NSError {
        NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSFilePathErrorKey: file.path])
    }
}
