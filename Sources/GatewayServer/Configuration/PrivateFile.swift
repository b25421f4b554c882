import Foundation
import GatewayCore
import Glibc

/// Writes files of the gateway so that each is complete or does not exist, and so that its owner can read it.
struct PrivateFile {
    let path: String
    let text: String
    let mode: Int

    static func write(_ text: String, to path: String, mode: Int) throws {
        try write([PrivateFile(path: path, text: text, mode: mode)])
    }

    /// Writes several files that belong together: none is replaced before all are on the disk.
    static func write(_ files: [PrivateFile]) throws {
        defer { for file in files { try? FileManager.default.removeItem(atPath: file.new) } }
        for file in files { try file.prepare() }
        for file in files where rename(file.new, file.path) != 0 { throw file.cannotBeWritten }
    }

    private var new: String { Self.unfinished(path) }

    /// The path of a file's next version until it is in place; a killed command may leave it there.
    static func unfinished(_ path: String) -> String { path + ".new" }

    private var cannotBeWritten: ConfigurationError {
        ConfigurationError(
            path, problem: "cannot be written", hint: "Check who owns the folder, and how much room there is")
    }

    /// So there is never an incomplete file, nor a moment in which others may read it.
    private func prepare() throws {
        let files = FileManager.default
        try? files.removeItem(atPath: new)
        // The content is on the disk before its name: otherwise it could be an empty file after a power cut.
        do { try NewFile.write(Array(text.utf8), to: new, mode: mode) } catch { throw cannotBeWritten }
        FileOwner.hand(
            new, toOwnerOf: files.fileExists(atPath: path) ? path : (path as NSString).deletingLastPathComponent)
    }
}
