import Foundation
import Glibc

/// A file that could not be read: there is none, or the account that runs the command may not look.
struct UnreadableFile {
    let path: String
    /// As `errno` has it.
    let reason: Int32

    /// Asks the system why.
    init(path: String) {
        self.path = path
        reason = access(path, R_OK) == 0 ? 0 : errno
    }

    init(path: String, reason: Int32) {
        self.path = path
        self.reason = reason
    }

    /// - Parameter missing: what to do where there is no file.
    func hint(ifMissing missing: String) -> String {
        guard reason != ENOENT, reason != ENOTDIR else { return missing }
        let way = "Run the command as the account that owns it"
        return owner.map { "\(way): sudo -u \($0) fieldbook-gateway …" } ?? way
    }

    /// Of the file, or of the folder above it that keeps others out.
    private var owner: String? {
        var url = URL(fileURLWithPath: path).standardizedFileURL
        while url.path != "/" {
            if let owner = try? FileManager.default.attributesOfItem(atPath: url.path) {
                return owner[.ownerAccountName] as? String
            }
            url.deleteLastPathComponent()
        }
        return nil
    }
}
