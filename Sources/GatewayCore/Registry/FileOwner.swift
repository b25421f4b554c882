import Foundation
import Glibc

/// Whose the files are that an administrator's commands write: run as root, they must not take them from the account
/// under which the gateway runs.
package enum FileOwner {
    /// Makes a folder, and those above it that are missing, for the owner of the folder in which the first of them is made.
    package static func makeFolder(_ path: String) throws {
        let files = FileManager.default
        let isThere = files.fileExists(atPath: path)
        var first = URL(fileURLWithPath: path).standardizedFileURL
        while !isThere, first.path != "/", !files.fileExists(atPath: first.deletingLastPathComponent().path) {
            first.deleteLastPathComponent()
        }
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if !isThere { hand(first.path, toOwnerOf: first.deletingLastPathComponent().path) }
    }

    /// The account to which a file or a folder belongs, where that is not root and the program is run by root.
    package static func accountBesideRoot(of path: String) -> String? {
        guard geteuid() == 0, let owner = try? FileManager.default.attributesOfItem(atPath: path),
            let user = (owner[.ownerAccountID] as? NSNumber)?.uint32Value, user != 0
        else { return nil }
        return owner[.ownerAccountName] as? String ?? "#\(user)"
    }

    /// Gives a file or a folder, with all that is in it, to the owner of another one; does nothing for anybody but root.
    package static func hand(_ path: String, toOwnerOf other: String) {
        guard geteuid() == 0, let owner = try? FileManager.default.attributesOfItem(atPath: other),
            let user = (owner[.ownerAccountID] as? NSNumber)?.uint32Value, user != 0,
            let group = (owner[.groupOwnerAccountID] as? NSNumber)?.uint32Value
        else { return }
        let within = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for file in [path] + within.map({ "\(path)/\($0)" }) { _ = lchown(file, user, group) }
    }
}
