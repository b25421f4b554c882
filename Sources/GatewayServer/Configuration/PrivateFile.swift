import Foundation
import GatewayCore
import Glibc

/// Writes a file of the gateway so that it is whole or not there, with an owner who can read it.
enum PrivateFile {
    /// Nobody finds half a file, nor a moment in which others may read it.
    static func write(_ text: String, to path: String, mode: Int) throws {
        let new = path + ".new"
        let files = FileManager.default
        try? files.removeItem(atPath: new)
        let isMade = files.createFile(atPath: new, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        FileOwner.hand(
            new, toOwnerOf: files.fileExists(atPath: path) ? path : (path as NSString).deletingLastPathComponent)
        guard isMade, rename(new, path) == 0 else {
            throw ConfigurationError(path, problem: "cannot be written", hint: "Check who owns the folder")
        }
    }
}
