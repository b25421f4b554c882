import Foundation
import GRDB
import SQLiteStorage

/// Copies a database folder into a new one, which appears under its name only when it is whole.
struct DatabaseCopy {
    let source: DatabaseFolder
    let target: DatabaseFolder
    let configuration: DatabaseConfiguration

    func run() throws {
        // Nobody may delete or migrate the source meanwhile; reading and writing goes on.
        let use = try source.lock(source.useLock, mode: .shared, timeout: StoreLimits.busyTimeout)
        let draft = DatabaseFolder(
            target.url.deletingLastPathComponent().appendingPathComponent(".copying-\(UUID().uuidString)"))
        try draft.make()
        do {
            try copyDatabase(to: draft)
            try copyAttachments(to: draft)
            try Data().write(to: draft.completionMark)
            try FileManager.default.moveItem(at: draft.url, to: target.url)
        } catch {
            try? FileManager.default.removeItem(at: draft.url)
            throw StoreError.wrapping(
                error is DatabaseError
                    ? error : StoreError.file(error, message: "The database cannot be copied.", file: source.url),
                path: source.url.path)
        }
        withExtendedLifetime(use) {}
    }

    private func copyDatabase(to draft: DatabaseFolder) throws {
        let from = try DatabaseQueue(path: source.database.path)
        let to = try DatabaseQueue(path: draft.database.path)
        try from.backup(to: to)
        // A copy that answered to the same checkpoints would skip what only the original has received.
        try to.write { db in
            try db.execute(sql: "DELETE FROM checkpoints; DELETE FROM properties WHERE key LIKE '%\\_uuid' ESCAPE '\\'")
        }
        try from.close()
        try to.close()
    }

    private func copyAttachments(to draft: DatabaseFolder) throws {
        guard DatabaseFolder.isThere(source.attachments) else { return }
        try FileManager.default.copyItem(at: source.attachments, to: draft.attachments)
    }
}
