/// Lets SQLite open a sealed database by its path, in this process, as long as the object is there. Connections that are open
/// by then go on to their end.
package final class KeyedFile: Sendable {
    package let sealing: FileSealing
    private let path: [UInt8]

    /// - Throws: `.wrongKey` if the process has the file open with another key; `.io` with SQLite's number if it does not take
    ///   the path or the file system.
    package init(_ path: String, sealing: FileSealing) throws(SealedFileError) {
        try SealedFileSystem.install()
        self.sealing = sealing
        self.path = try SealedFileSystem.fullPath(path)
        guard KeyedFiles.add(sealing, path: self.path) else { throw SealedFileError(.wrongKey) }
    }

    deinit { KeyedFiles.remove(path: path) }
}
