import Foundation
import Glibc

/// The owner of files that an administrator's commands write: when root runs them, the files must still belong to the
/// account under which the gateway runs.
package enum FileOwner {
    /// Makes a folder, and those above it that are missing, for the owner of the folder in which the first of them is made.
    package static func makeFolder(_ path: String) throws {
        let present = nearest(to: path)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let missing = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
            .dropFirst(URL(fileURLWithPath: present).pathComponents.count)
        if let first = missing.first { hand("\(present)/\(first)", toOwnerOf: present) }
    }

    /// A file or folder itself, or the nearest existing folder above it.
    package static func nearest(to path: String) -> String {
        var url = URL(fileURLWithPath: path).standardizedFileURL
        while url.path != "/", !FileManager.default.fileExists(atPath: url.path) { url.deleteLastPathComponent() }
        return url.path
    }

    /// The account to which a file or a folder belongs, if that is not root and root runs the program; `#` and its number
    /// if it has no name.
    package static func accountBesideRoot(of path: String) -> String? {
        guard geteuid() == 0, let owner = try? FileManager.default.attributesOfItem(atPath: path),
            let user = (owner[.ownerAccountID] as? NSNumber)?.uint32Value, user != 0
        else { return nil }
        return owner[.ownerAccountName] as? String ?? "#\(user)"
    }

    /// Gives a file or a folder, with all its content, to the owner of another one; does nothing unless root runs the
    /// program.
    package static func hand(_ path: String, toOwnerOf other: String) {
        guard geteuid() == 0, let owner = try? FileManager.default.attributesOfItem(atPath: other),
            let user = (owner[.ownerAccountID] as? NSNumber)?.uint32Value, user != 0,
            let group = (owner[.groupOwnerAccountID] as? NSNumber)?.uint32Value
        else { return }
        let within = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for file in [path] + within.map({ "\(path)/\($0)" }) { _ = lchown(file, user, group) }
    }
}
