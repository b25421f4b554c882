import Foundation
import Glibc
import SQLiteStorage
import SealedSQLite

/// The end of a change of a database's key: a whole database with the other key, and its attachments if these are sealed in
/// another way, replace the files of the folder.
///
/// Each step is on the disk before the next one begins, and looks whether it is done already. So a change that a crash has
/// ended goes on when the folder is opened next; one that had not come so far is forgotten.
struct KeyChangeCompletion {
    enum Step: CaseIterable {
        /// From then on no power cut takes the change back.
        case keepChange
        /// Nothing of the former log may come into the new file.
        case takeFormerLog
        case takeFormerDatabase, putDatabase
        case takeFormerAttachments, putAttachments
        case destroyFormer
    }

    private let folder: DatabaseFolder

    /// - Parameter folder: whose locks for opening and for use the caller holds. The latter may be a shared one: no process
    ///   has the database open while new files are there that have not replaced the former ones. They appear only while no
    ///   process has it open, and each process that opens it replaces the files first, or fails.
    init(_ folder: DatabaseFolder) { self.folder = folder }

    /// A new database has this name in its folder, too.
    private var database: URL { folder.changedKey.appendingPathComponent(folder.database.lastPathComponent) }
    private var attachments: URL { folder.changedKey.appendingPathComponent(folder.attachments.lastPathComponent) }
    private var formerDatabase: URL { folder.changedKey.appendingPathComponent("former.sqlite3") }
    private var formerLog: URL { folder.changedKey.appendingPathComponent("former.sqlite3-wal") }
    private var formerAttachments: URL { folder.changedKey.appendingPathComponent("former") }

    /// The file that is the database when the folder is opened next; `nil` where there is none.
    var presentDatabase: URL? { [database, folder.database].first(where: DatabaseFolder.isThere) }

    /// For a folder that is being opened. The former files stay, until the caller has shown a key that opens the new ones.
    func replaceFiles() throws {
        try forgetDraft()
        for step in Step.allCases where step != .destroyFormer { try perform(step) }
    }

    /// For a folder whose database the caller's key opens.
    func removeFormer() {
        do { try perform(.destroyFormer) } catch {
            // The database is whole. The next opening tries it again.
            LibraryLog.database.error("Files with the former key of \(folder.url.path) cannot be removed: \(error)")
        }
    }

    /// Removes a new database that did not become whole. If it is plain, it is overwritten before that.
    func forgetDraft() throws {
        guard DatabaseFolder.isThere(folder.keyDraft) else { return }
        do { if !isDraftSealed { try DurableFile.overwriteAll(in: folder.keyDraft) } } catch {
            LibraryLog.database.warning("\(folder.keyDraft.path) is removed without being overwritten: \(error)")
        }
        do { try FileManager.default.removeItem(at: folder.keyDraft) } catch {
            throw StoreError.file(error, message: Self.message, file: folder.keyDraft)
        }
    }

    /// Its attachments are sealed then, too: they follow the database.
    private var isDraftSealed: Bool {
        let start = try? FileStart.read(DatabaseFolder(folder.keyDraft).database.path, count: SealedHead.length)
        return start.map { SealedHead.begins($0) } ?? false
    }

    func perform(_ step: Step) throws {
        guard DatabaseFolder.isThere(folder.changedKey) else { return }
        switch step {
        case .keepChange: if DatabaseFolder.isThere(database) { try DurableFile.synchronize(folder.url) }
        case .takeFormerLog: if DatabaseFolder.isThere(database) { try takeFormerLog() }
        case .takeFormerDatabase:
            if DatabaseFolder.isThere(database) { try move(folder.database, to: formerDatabase) }
        case .putDatabase: try move(database, to: folder.database)
        case .takeFormerAttachments:
            if DatabaseFolder.isThere(attachments) { try move(folder.attachments, to: formerAttachments) }
        case .putAttachments: try move(attachments, to: folder.attachments)
        case .destroyFormer:
            // They may be plain, or open with a key that is not to open them any more.
            do {
                try DurableFile.overwriteAll(in: folder.changedKey)
                try FileManager.default.removeItem(at: folder.changedKey)
            } catch {
                throw StoreError.file(
                    error, message: "The key is changed, but files with the former one cannot be removed.",
                    file: folder.changedKey)
            }
        }
    }

    private func takeFormerLog() throws {
        try move(folder.log, to: formerLog)
        // The log's index has numbers of pages, and nothing of these.
        let index = folder.database.path + "-shm"
        guard unlink(index) == 0 || errno == ENOENT else {
            throw StoreError.posix(errno, message: Self.message, file: URL(fileURLWithPath: index))
        }
        try DurableFile.synchronize(folder.url)
    }

    /// Does nothing where there is no such file.
    private func move(_ file: URL, to target: URL) throws {
        guard DatabaseFolder.isThere(file) else { return }
        guard rename(file.path, target.path) == 0 else {
            throw StoreError.posix(errno, message: Self.message, file: file)
        }
        for folder in [folder.url, folder.changedKey] { try DurableFile.synchronize(folder) }
    }

    private static let message = "The files of the database cannot be replaced by those with the other key."
}
