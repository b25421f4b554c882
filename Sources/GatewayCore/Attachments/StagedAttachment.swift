import Dispatch
import DocumentValues
import Glibc
import NIOCore
import Synchronization

/// Content of an attachment on its way in: small ones in memory, larger ones in a file that has no name, so that
/// nothing is left of it however the gateway ends.
package final class StagedAttachment: Sendable {
    private struct State {
        var builder = BlobDigestBuilder()
        var bytes: [UInt8] = []
        var file: Int32?
    }

    private let folder: String
    private let state = Mutex(State())

    /// - Parameter folder: on the disk where the content will be stored in the end.
    init(folder: String) { self.folder = folder }

    deinit { state.withLock { state in if let file = state.file { close(file) } } }

    package var digest: BlobDigest { state.withLock { $0.builder.finish() } }
    package var length: Int { state.withLock { Int($0.builder.length) } }

    /// Blocks until the system has the bytes.
    func append(_ bytes: ByteBuffer) throws {
        try state.withLock { state in
            state.builder.update(bytes.readableBytesView)
            if state.file == nil, state.bytes.count + bytes.readableBytes <= GatewayLimits.attachmentInMemory {
                return state.bytes.append(contentsOf: bytes.readableBytesView)
            }
            if state.file == nil {
                let file = try Self.namelessFile(in: folder)
                state.file = file
                try state.bytes.withUnsafeBytes { try Self.write($0, to: file) }
                state.bytes = []
            }
            if let file = state.file { try bytes.withUnsafeReadableBytes { try Self.write($0, to: file) } }
        }
    }

    /// Up to `count` bytes from `offset`.
    func read(from offset: Int, count: Int) throws -> [UInt8] {
        try state.withLock { state in
            guard let file = state.file else {
                return Array(state.bytes[min(offset, state.bytes.count)..<min(offset + count, state.bytes.count)])
            }
            return try [UInt8](unsafeUninitializedCapacity: count) { buffer, total in
                while total < count {
                    let read = pread(file, buffer.baseAddress.map { $0 + total }, count - total, off_t(offset + total))
                    guard read >= 0 else { throw Self.failure() }
                    guard read > 0 else { return }
                    total += read
                }
            }
        }
    }

    // MARK: - The file

    private static func namelessFile(in folder: String) throws -> Int32 {
        var template = Array((folder + "/.attachment-XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure() }
        unlink(template)
        // The sync function's process must not inherit it.
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            guard count >= 0 || errno == EINTR else { throw failure() }
            written += max(0, count)
        }
    }

    private static func failure() -> GatewayError {
        errno == ENOSPC || errno == EDQUOT
            ? .diskFull : GatewayError(503, "The gateway's storage did not answer; try again")
    }
}

extension GatewayDatabase {
    /// A place for content that is about to come in.
    package func stageAttachment() -> StagedAttachment { StagedAttachment(folder: store.folder) }

    /// Adds to content, off the caller's thread.
    package func append(_ bytes: ByteBuffer, to attachment: StagedAttachment) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            store.files.async { continuation.resume(with: Result { try attachment.append(bytes) }) }
        }
    }
}
