import Synchronization

/// Lets SQLite open a sealed database by its path, in this process, until it is ended. Connections that are open by then go on
/// to their end.
package final class KeyedFile: Sendable {
    package let sealing: FileSealing
    private let path: [UInt8]
    private let isEnded = Atomic(false)

    /// - Throws: `.wrongKey` if the process has the file open with another key; `.sqlite` if SQLite does not take the path or
    ///   the file system.
    package init(_ path: String, sealing: FileSealing) throws(SealedFileError) {
        try SealedFileSystem.install()
        self.sealing = sealing
        self.path = try SealedFileSystem.fullPath(path)
        guard KeyedFiles.add(sealing, path: self.path) else {
            // Another object's entry is not ours to remove.
            isEnded.store(true, ordering: .relaxed)
            throw SealedFileError(.wrongKey)
        }
    }

    deinit { end() }

    /// SQLite opens the database no more, unless another object lets it.
    package func end() {
        guard !isEnded.exchange(true, ordering: .relaxed) else { return }
        KeyedFiles.remove(path: path)
    }
}
