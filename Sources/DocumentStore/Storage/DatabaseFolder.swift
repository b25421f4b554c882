import DocumentValues
import Foundation
import Glibc
import SQLiteStorage
import SealedSQLite

/// The names of the files in a database's folder, and the checks before any of them is opened.
struct DatabaseFolder: Sendable, Hashable {
    static let suffix = ".fieldbook"

    let url: URL

    var database: URL { url.appendingPathComponent("database.sqlite3") }
    var log: URL { url.appendingPathComponent("database.sqlite3-wal") }
    var attachments: URL { url.appendingPathComponent("attachments", isDirectory: true) }
    /// Held exclusively while the folder is being made, migrated or deleted.
    var openingLock: URL { url.appendingPathComponent("opening.lock") }
    /// Held shared by each process that has the database open.
    var useLock: URL { url.appendingPathComponent("use.lock") }
    /// Space for opening the database on a full disk.
    var reserve: URL { url.appendingPathComponent("reserve") }
    /// Exists once the database was made completely: if the database is missing then, it is lost, and the folder is not
    /// a new one.
    var completionMark: URL { url.appendingPathComponent("format-1") }

    /// The database with another key, and its attachments, until it is whole.
    var keyDraft: URL { url.appendingPathComponent("changing-key", isDirectory: true) }
    /// The same from then on: its files replace those of the folder.
    var changedKey: URL { url.appendingPathComponent("changed-key", isDirectory: true) }

    init(_ url: URL) { self.url = url.standardizedFileURL }

    init(name: String, directory: String) {
        self.init(URL(fileURLWithPath: directory, isDirectory: true).appendingPathComponent(name + Self.suffix))
    }

    /// Checks a name for use in a path.
    static func checkName(_ name: String) throws {
        let isPath = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        guard !name.isEmpty, !isPath, name != ".", name != ".." else {
            throw StoreError(
                .invalidParameter, message: "A database name must not be empty, '.' or '..', or contain '/' or NUL.",
                context: ["name": name])
        }
    }

    var exists: Bool { Self.isThere(database) || Self.isThere(completionMark) }

    static func isThere(_ file: URL) -> Bool { access(file.path, F_OK) == 0 }

    func make() throws {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw StoreError.file(error, message: "The database folder cannot be made.", file: url) }
        // SQLite would find out later, with the first file that it has to make.
        guard access(url.path, W_OK | X_OK) == 0 else {
            throw StoreError.posix(errno, message: "The database folder cannot be written.", file: url)
        }
    }

    /// Removes the database, and the folder if nothing else is in it: a database may have been made in any folder, whose
    /// other files must stay.
    func remove() throws {
        let files = FileManager.default
        for name in removable(among: try files.contentsOfDirectory(atPath: url.path)) {
            try files.removeItem(at: url.appendingPathComponent(name))
        }
        if try files.contentsOfDirectory(atPath: url.path).isEmpty { try files.removeItem(at: url) }
    }

    /// The database's own files. The file that makes it a database is removed last: after a process was killed in between,
    /// the rest can be removed again.
    func removable(among names: [String]) -> [String] {
        let (own, last) = (names.filter(isOwn), database.lastPathComponent)
        return own.filter { !$0.isExactly(last) } + own.filter { $0.isExactly(last) }
    }

    private func isOwn(_ name: String) -> Bool {
        let files = [attachments, openingLock, useLock, reserve, completionMark, keyDraft, changedKey]
            .map(\.lastPathComponent)
        // With the files that SQLite makes beside it, and the attachments that were put aside because their key is
        // lost.
        return files.contains { $0.utf8.elementsEqual(name.utf8) }
            || Name(name).hasPrefix(database.lastPathComponent) || Name(name).hasPrefix("attachments-locked-")
    }

    /// Only the owner may read the database, even if its file is copied out of the folder. SQLite gives the files beside it
    /// the same permissions.
    func keepPrivate() throws {
        if try !Self.isFile(database) { try Self.makeFile(database, message: "The database file cannot be made.") }
        // Another process that closes the folder removes the files beside it.
        for path in ["", "-wal", "-shm"].map({ database.path + $0 }) {
            do throws(OwnFileError) { try OwnFile.keepPrivate(path) } catch {
                throw StoreError.own(
                    error, message: "The permissions of the database file cannot be set.",
                    file: URL(fileURLWithPath: path))
            }
        }
    }

    /// Whether there is a regular file.
    ///
    /// - Throws: `.cannotOpenFile` for anything else of that name, such as a link or a pipe.
    static func isFile(_ file: URL) throws -> Bool {
        do throws(OwnFileError) { return try OwnFile.check(file.path) } catch {
            throw StoreError.own(error, message: "A file of the database cannot be examined.", file: file)
        }
    }

    private static func makeFile(_ file: URL, message: String) throws {
        do throws(OwnFileError) { close(try OwnFile.open(file.path, flags: O_WRONLY | O_CREAT)) } catch {
            throw StoreError.own(error, message: message, file: file)
        }
    }

    /// Notes that the database was made completely.
    func markComplete() throws {
        try Self.makeFile(completionMark, message: "The database folder cannot be written.")
    }

    /// GRDB writes to a database with an empty log when it opens it, and so waits for any present writer. A log of one byte
    /// is not empty to GRDB, while SQLite takes it for empty. The byte is appended, so that it overwrites nothing of a writer
    /// that has begun since: SQLite ignores a byte behind the last page.
    func fillLog() {
        guard (try? FileLength.bytes(of: log.path)) == 0 else { return }
        guard let descriptor = try? OwnFile.open(log.path, flags: O_WRONLY | O_APPEND) else { return }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        // If this fails, opening only waits longer.
        _ = write(descriptor, &byte, 1)
    }

    /// Bytes of a log before its first page.
    private static let logHeader: UInt64 = 32

    /// Whether the database is still to be made.
    ///
    /// - Throws: `.corruptData` if it was there once, `.cannotOpenFile` for a link or a pipe in its stead.
    var isNew: Bool {
        get throws {
            // Reading anything else, such as a pipe, could wait for ever.
            if try Self.isFile(database), let size = try size(of: database), size > 0 { return false }
            guard !Self.isThere(completionMark) else {
                throw StoreError(
                    .corruptData, message: "The database file is missing or empty although the folder was in use.",
                    context: ["path": database.path],
                    hint: "Restore the folder from a backup, or sync into a new folder.")
            }
            return true
        }
    }

    /// Refuses a file that is certainly damaged, or no database, before SQLite takes it for an empty database.
    func checkFile() throws {
        guard try !isNew else { return }
        let header: [UInt8]
        do { header = try FileStart.read(database.path, count: 100) } catch {
            throw StoreError.sealing(error, path: database.path)
        }
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            let isSealed = SealedHead.begins(header)
            throw isSealed ? StoreError.encrypted(database.path) : .sqlite(26, message: "", path: database.path)
        }
        let pageSize = Int(header[16]) << 8 | Int(header[17])
        let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
        try checkLength(pages: pages, ofBytes: pageSize == 1 ? 65_536 : pageSize)
    }

    /// Refuses a file that does not have the pages of its header.
    func checkLength(pages: Int, ofBytes pageSize: Int) throws {
        // While the log has pages that are not yet in the file, the file may rightly be shorter than its header says.
        guard try (size(of: log) ?? 0) <= Self.logHeader else { return }
        let size = try size(of: database) ?? 0
        guard size >= UInt64(pages) * UInt64(pageSize) else {
            throw StoreError(
                .corruptData, message: "The database file is cut off.",
                context: ["path": database.path, "bytes": "\(size)"],
                hint: "Keep a copy of the folder, then restore it from a backup or sync into a new one.")
        }
    }

    /// In bytes; `nil` where there is no such file.
    func size(of file: URL) throws -> UInt64? {
        do { return try FileLength.bytes(of: file.path).map(UInt64.init) } catch {
            throw StoreError.posix(error.number, message: "A file cannot be examined.", file: file)
        }
    }

    /// Takes this lock of the folder; with a timeout of 0 a busy folder is an error at once.
    func lock(_ file: URL, mode: FileLock.Mode, timeout: TimeInterval) throws -> FileLock {
        guard let lock = try FileLock.take(file, mode: mode, timeout: timeout) else { throw inUse }
        return lock
    }

    var inUse: StoreError {
        StoreError(
            .busy, message: "The database folder is in use.", context: ["path": url.path],
            hint: "Close the other program or the other Database object, or wait until it has finished.")
    }
}
