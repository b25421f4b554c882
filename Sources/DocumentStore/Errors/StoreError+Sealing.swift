import Foundation
import SealedSQLite

extension StoreError {
    /// An error of a sealed database file, in our terms.
    static func sealing(_ error: SealedFileError, path: String) -> StoreError {
        let context = ["path": path]
        switch error.code {
        case .system(let code):
            return posix(code, message: "The database file cannot be made.", file: URL(fileURLWithPath: path))
        case .sqlite(let code): return sqlite(code, message: "its file system refuses it", path: path)
        case .notADatabase: return sqlite(26, message: "", path: path)
        case .notSealed:
            return StoreError(
                .notADatabase, message: "The database is not encrypted, but was opened with an encryption key.",
                context: context,
                hint: "Open it without a key. To encrypt it, change its key then.")
        case .newerFormat:
            return StoreError(
                .databaseTooNew, message: "The database was encrypted by a newer version of this program.",
                context: context, hint: "Update this program.")
        case .wrongKey:
            return StoreError(
                .notADatabase, message: "The encryption key is not that of the database.", context: context,
                hint: "Check the password or the key, and the folder. Without the right one it cannot be read.")
        case .needsKey, .needsPassword:
            let (right, wrong) =
                error.code == .needsKey ? ("a key of 32 bytes", "a password") : ("a password", "a key")
            return StoreError(
                .notADatabase, message: "The database is encrypted with \(right), but was opened with \(wrong).",
                context: context, hint: "Open it with \(right).")
        case .outOfMemory:
            return StoreError(
                Code(rawValue: CBLError.memoryError), message: "There is not enough memory to open the database.",
                context: context, hint: "Making a key of its password takes 256 MB for a moment.")
        }
    }

    /// A database whose key is changed, and that could not be opened again.
    static func hasNewKey(_ path: String, butIsClosedBy error: any Error) -> StoreError {
        let reason = error as? StoreError
        let hint = "Keep the new key: it opens the database, and the former one does not any more."
        return StoreError(
            reason?.code ?? .unexpected,
            message: "The database has the new key, but could not be opened again. \(reason?.message ?? "\(error)")",
            context: (reason?.context ?? [:]).merging(["path": path]) { own, _ in own },
            hint: [hint, reason?.hint].compactMap { $0 }.joined(separator: " "), underlying: error)
    }

    /// An encrypted database that was opened without its key.
    static func encrypted(_ path: String) -> StoreError {
        StoreError(
            .notADatabase, message: "The database is encrypted.", context: ["path": path],
            hint: "Open it with its password or key.")
    }
}
