import Foundation
import Glibc

/// Whose the files are that an administrator's commands write: run as root, they must not take them from the account
/// under which the gateway runs.
package enum FileOwner {
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
