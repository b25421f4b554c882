// The members of `stat` come from whichever of these modules the build reads first.
import CoreFoundation
import DocumentValues
import Foundation
import Glibc

/// Checks whether the databases of a storage folder can be served, without opening them as a gateway does.
package enum StorageCheck {
    /// The problems, a line for each file: not a database, damaged, of another account, unreadable, missing.
    package static func problems(storage path: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let owner = Self.owner(of: path) else { return ["\(path): cannot be examined"] }
        var problems = try BackupCopy.lost(storage: path).map {
            "\(path)/\($0)/\(DatabaseParts.fileName): is gone. Is its disk mounted? If the folder belongs to no "
                + "database, move it away"
        }
        for name in try BackupCopy.names(storage: path) where !NewDatabaseFolder("\(path)/\(name)").isUnfinished {
            let file = "\(path)/\(name)/\(DatabaseParts.fileName)"
            let foreign = problemOfOwner("\(path)/\(name)", file: file, owner: owner)
            if let problem = foreign ?? problemOfContent(file) { problems.append(problem) }
        }
        return problems
    }

    /// The files that SQLite keeps beside a database.
    private static let companions = ["-wal", "-shm"]

    private static func problemOfOwner(_ folder: String, file: String, owner: uid_t) -> String? {
        for path in [folder, file] + companions.map({ file + $0 }) {
            guard let found = Self.owner(of: path) else {
                if path == folder || path == file { return "\(path): cannot be examined" }
                continue
            }
            guard found == owner else {
                return "\(path): belongs to account \(found), the storage folder to account \(owner)"
            }
            guard access(path, R_OK | W_OK) == 0 else { return "\(path): cannot be read and written by this account" }
        }
        return nil
    }

    private static func owner(of path: String) -> uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    private static func problemOfContent(_ file: String) -> String? {
        let files = FileManager.default
        let missing = companions.map { file + $0 }.filter { !files.fileExists(atPath: $0) }
        // When root runs this, it must not leave files behind that the gateway cannot write.
        defer {
            for path in missing where files.fileExists(atPath: path) { FileOwner.hand(path, toOwnerOf: file) }
        }
        do {
            switch try StorageEngine.standard.file(file).examine(.structure).problem {
            case .damaged(let detail): return "\(file): is damaged: \(detail)"
            case .newer: return GatewayError.newerDatabase(file).reason
            case nil: return nil
            }
        } catch {
            return "\(file): cannot be used as a database: \(error)"
        }
    }
}
