import Foundation
import Glibc

/// A file that only its owner can read, written in portions. It is whole or not there; a file of that name is replaced.
final class WholeFile {
    private let url: URL
    /// Two programs may write at once, each into a file of its own; the later one counts.
    private let temporary: URL
    private let handle: FileHandle
    private var isFinished = false

    init(_ url: URL) throws {
        self.url = url
        temporary = FieldFolder.temporary(for: url)
        let descriptor = open(temporary.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FieldFolder.failure(url) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    var name: String { url.lastPathComponent }

    deinit { if !isFinished { unlink(temporary.path) } }

    func write(_ bytes: [UInt8]) throws { try handle.write(contentsOf: Data(bytes)) }

    /// Calls `body` with the bytes written so far, in portions.
    func read(_ body: ([UInt8]) throws -> Void) throws {
        try handle.seek(toOffset: 0)
        while let portion = try handle.read(upToCount: FieldRecordsLimits.filePortion), !portion.isEmpty {
            try body(Array(portion))
        }
        try handle.seekToEnd()
    }

    /// Gives the file its name. It is not written any more.
    ///
    /// - Parameter isDurable: it is there even if the computer loses its current the moment after.
    func finish(isDurable: Bool = true) throws {
        if isDurable { try handle.synchronize() }
        try handle.close()
        guard rename(temporary.path, url.path) == 0 else { throw FieldFolder.failure(url) }
        isFinished = true
        if isDurable { try FieldFolder.synchronizeFolder(url.deletingLastPathComponent()) }
    }
}
