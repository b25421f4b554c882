import Foundation
import GatewayCore
import Glibc

/// Why a configuration could not be read: it does not exist, it is a folder, or the account that runs the command may not
/// read it.
struct UnreadableFile {
    let path: String
    /// As `errno` has it.
    let reason: Int32

    /// The text of a configuration.
    static func text(of path: String) throws(ConfigurationError) -> String {
        let content: [UInt8]?
        do { content = try FileContent.bytes(path) } catch {
            throw UnreadableFile(path: path, reason: error.code).error
        }
        guard let bytes = content else { throw UnreadableFile(path: path, reason: ENOENT).error }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(
                path, problem: "is not UTF-8 in line \(lineOfOtherText(in: bytes))", hint: "Save it as UTF-8")
        }
        return text
    }

    /// The editor that wrote another encoding shows no error, so the message names the line of the first letter beyond
    /// ASCII.
    private static func lineOfOtherText(in bytes: [UInt8]) -> Int {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    var error: ConfigurationError {
        switch reason {
        case ENOENT, ENOTDIR:
            ConfigurationError(
                path, problem: "is not there", hint: "Make one with: fieldbook-gateway init --folder FOLDER")
        case EISDIR: ConfigurationError(path, problem: "is a folder", hint: "Name the file: \(path)/gateway.yaml")
        case EACCES, EPERM: ConfigurationError(path, problem: "cannot be read", hint: account)
        default: ConfigurationError(path, problem: "cannot be read: \(String(cString: strerror(reason)))")
        }
    }

    private var account: String {
        let way = "Run the command as the account that owns it"
        return owner.map { "\(way): sudo -u \($0) fieldbook-gateway …" } ?? way
    }

    /// The owner of the file, or of the folder above it that other accounts may not enter.
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
