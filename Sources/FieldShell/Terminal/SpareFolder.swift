import DocumentValues
import Foundation
import Glibc

/// A folder of the user's own, for a text that the disk with the records does not take.
struct SpareFolder {
    let url: URL

    /// The better first: a folder that lasts until the next start of the laptop, then one that may be in its memory
    /// alone.
    static func all(_ variables: [String: String], user: uid_t = getuid()) -> [SpareFolder] {
        func folder(_ variable: String) -> URL? {
            variables[variable].flatMap { $0.hasExactPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        }
        let temporary = folder("TMPDIR").map { [$0] } ?? ["/var/tmp", "/tmp"].map { URL(fileURLWithPath: $0) }
        let runtime = folder("XDG_RUNTIME_DIR").map { $0.appendingPathComponent(ofSession) }
        let all = temporary.map { $0.appendingPathComponent("fieldbook-texts-\(user)") } + [runtime].compactMap(\.self)
        return all.map { SpareFolder(url: $0) }
    }

    private static let ofSession = "fieldbook-texts"

    /// The warning about a file in such a folder; empty if the file is permanent. The system keeps a session's folder in
    /// memory, and removes it with the session.
    static func warning(of file: String) -> String {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
        guard folder.isExactly(ofSession) else { return "" }
        return ". It is in the laptop's memory alone: copy it before you sign out or switch off."
    }

    /// In a folder in which all users may write, a folder of that name may be another user's.
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
