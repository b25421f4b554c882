import DocumentValues
import FieldRecords
import Foundation

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
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            return Array(try handle.read(upToCount: ShellLimits.secretFile + 1) ?? Data())
        } catch {
            throw SecretError("The file \(path) cannot be read: \(error.localizedDescription)")
        }
    }
}

/// A passphrase or a password that could not be got.
package struct SecretError: UserFacingError {
    package let description: String

    init(_ description: String) { self.description = description }
}
