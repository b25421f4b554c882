import Foundation
import GatewayCore
import Glibc

extension ConfigurationCheck {
    /// Makes a folder of the gateway, if it does not exist. `named` is the folder that a message names.
    static func makeFolder(_ path: String, key: String, named: String? = nil) throws(ConfigurationError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ConfigurationError(
                named ?? path, problem: "cannot be made: \(reason(of: error)) (\(key))",
                hint: "Set \(key) to another folder")
        }
    }

    /// The system's text.
    private static func reason(of error: any Error) -> String {
        guard let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError else {
            return error.localizedDescription
        }
        return cause.code == .EEXIST ? "it is a file, not a folder" : String(cString: strerror(cause.code.rawValue))
    }

    /// Files that a gateway run by root writes into another account's folder would keep that account's gateway from
    /// starting. So would a new folder, which would belong to root.
    static func checkAccount(_ path: String) throws(ConfigurationError) {
        let present = FileOwner.nearest(to: path)
        guard let account = FileOwner.accountBesideRoot(of: present) else { return }
        // To a shell `#` begins a comment.
        let typed = account.hasPrefix("#") ? "'\(account)'" : account
        throw ConfigurationError(
            present, problem: "belongs to the account \(account), and root would serve it",
            hint: "Run it as that account: sudo -u \(typed) fieldbook-gateway serve …")
    }

    /// A folder need not exist yet, but then it must be possible to make it in one of the folders above. That is tried
    /// for a moment, since permissions do not show whether the file system allows new folders.
    static func checkFolder(_ path: String, key: String) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        let wanted = URL(fileURLWithPath: path).standardizedFileURL
        var folder = wanted
        while !files.fileExists(atPath: folder.path, isDirectory: &isFolder), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        let above = folder == wanted ? nil : folder.path
        guard isFolder.boolValue else {
            throw ConfigurationError(
                path,
                problem: above.map { "cannot be made: \($0) is a file, not a folder" } ?? "is a file, not a folder",
                hint: "Set \(key) to another folder")
        }
        guard access(folder.path, W_OK) == 0 else {
            throw unwritable(path, in: above, reason: String(cString: strerror(errno)), key: key)
        }
        let trial = folder.appendingPathComponent(".check-\(UUID().uuidString)").path
        try makeFolder(trial, key: key, named: path)
        try files.removeItem(atPath: trial)
    }

    /// - Parameter above: the folder in which it would be made; `nil` if it exists. That may be a folder of the system, which
    ///   must not be given to the gateway's account.
    static func unwritable(_ path: String, in above: String?, reason: String, key: String) -> ConfigurationError {
        guard let above else {
            return ConfigurationError(
                path, problem: "cannot be written: \(reason) (\(key))",
                hint: "Give it to the account of the gateway, or set \(key) to another folder")
        }
        return ConfigurationError(
            path, problem: "cannot be made in \(above): \(reason) (\(key))",
            hint: "Make it for the account of the gateway, or set \(key) to another folder")
    }
}
