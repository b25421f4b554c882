import DocumentValues
import Foundation
import Glibc

/// A folder of the user's own, for a text that the disk with the records does not take.
struct SpareFolder {
    let url: URL

    /// The better first: what the system keeps for somebody who has signed in, then what it keeps for everybody.
    static func all(_ variables: [String: String], user: uid_t = getuid()) -> [SpareFolder] {
        func folder(_ variable: String) -> URL? {
            variables[variable].flatMap { $0.hasExactPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        }
        let runtime = folder("XDG_RUNTIME_DIR").map { $0.appendingPathComponent("fieldbook-texts") }
        let temporary = folder("TMPDIR") ?? URL(fileURLWithPath: "/tmp")
        let all = [runtime, temporary.appendingPathComponent("fieldbook-texts-\(user)")]
        return all.compactMap(\.self).map { SpareFolder(url: $0) }
    }

    /// Where everybody may write, a folder of that name may be somebody else's.
    var isOwn: Bool {
        var status = stat()
        guard lstat(url.path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid() && status.st_mode & 0o077 == 0
    }

    /// - Returns: whether it is there.
    func make() -> Bool {
        mkdir(url.path, 0o700)
        return isOwn
    }
}
