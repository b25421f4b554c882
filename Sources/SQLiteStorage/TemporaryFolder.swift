import Foundation
import Glibc

/// Where SQLite makes its temporary files, which may be as large as a database.
package enum TemporaryFolder {
    /// The first folder in which this account may make files, in the order in which SQLite looks for one.
    package static func ofSQLite(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { environment[$0] }
        return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).first(where: isUsable) ?? "."
    }

    private static func isUsable(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return false
        }
        return access(path, W_OK | X_OK) == 0
    }
}
