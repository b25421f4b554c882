import DocumentValues
import FieldRecords
import Foundation
import Glibc

/// The first line of a file, which is a passphrase, a password or a session: every command reads it in the same way, since they
/// open one folder.
package struct SecretLine {
    package let text: String
    /// The warning about other users who can read the file; `nil` if there are none.
    package let warning: String?

    /// - Parameter path: may begin with `~`.
    package init(file path: String) throws(SecretError) {
        let url = URL(fileURLWithPath: HomeFolder.expanding(path))
        let bytes = try Self.beginning(of: url, named: path)
        guard !bytes.starts(with: Self.byteOrderMark) else {
            throw SecretError(
                "\(path) begins with a byte order mark, as some editors write it. Save it as UTF-8 without one.")
        }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.count <= ShellLimits.secretFile else {
            throw SecretError("The first line of \(path) is longer than \(ShellLimits.secretFile) bytes.")
        }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw SecretError("The first line of \(path) is empty or no text.")
        }
        self.text = text
        warning = SecretWarnings.readable(url.path)
    }

    /// It is not typed, and cannot be seen in the file.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// One byte more than a secret may have: it says whether there is more.
    private static func beginning(of url: URL, named path: String) throws(SecretError) -> [UInt8] {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: ShellLimits.secretFile + 1)
        while bytes.count <= ShellLimits.secretFile {
            let count = read(descriptor, &portion, portion.count - bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, code: errno) }
            guard count > 0 else { break }
            bytes += portion[..<count]
        }
        return bytes
    }

    private static func unreadable(_ path: String, code: Int32) -> SecretError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "there is no such file"
            case EISDIR: "it is a folder"
            case EACCES: "you may not read it"
            default: String(cString: strerror(code))
            }
        return SecretError("The file \(path) cannot be read: \(reason).")
    }
}

/// A passphrase or a password that could not be got.
package struct SecretError: UserFacingError {
    package let description: String

    init(_ description: String) { self.description = description }
}
