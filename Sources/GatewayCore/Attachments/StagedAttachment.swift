import Dispatch
import DocumentValues
import Foundation
import Glibc
import NIOCore
import Synchronization

/// Content of an attachment that is being received: small ones in memory, larger ones in a file without a name, of
/// which nothing is left however the gateway ends. Both are on the owner's account.
package final class StagedAttachment: Sendable {
    private struct State {
        var builder = BlobDigestBuilder()
        var bytes: [UInt8] = []
        var file: Int32?
        var fileBytes = 0
    }

    private let folder: String
    private let owner: StagingOwner?
    /// The sender; `nil` for administrators.
    let user: Name?
    /// The holder of its bytes on the disk.
    private let volume: AccountShares.Holder
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: on the disk where the content will be stored in the end.
    ///   - owner: the account that is charged; `nil` for content that the gateway makes itself.
    ///   - user: the sender; `nil` for administrators.
    ///   - volume: the account of its bytes on the disk.
    init(folder: String, owner: StagingOwner?, user: Name?, volume: AccountShares.Holder) {
        self.folder = folder
        self.owner = owner
        self.user = user
        self.volume = volume
    }

    deinit {
        state.withLock { state in
            if let file = state.file { close(file) }
            owner?.memory.giveBack(state.bytes.count)
            owner?.disk.giveBack(state.fileBytes)
        }
    }

    package var digest: BlobDigest { state.withLock { $0.builder.finish() } }
    package var length: Int { state.withLock { Int($0.builder.length) } }
    /// 0 for content in memory.
    var bytesOnDisk: Int { state.withLock { $0.fileBytes } }

    /// Blocks until the system has the bytes. Throws 503 if the owner's share is used up.
    func append(_ bytes: ByteBuffer) throws {
        try state.withLock { state in
            if try !keepInMemory(bytes, state: &state) { try keepOnDisk(bytes, state: &state) }
            state.builder.update(bytes.readableBytesView)
        }
    }

    /// False if it is too large for that, or if the owner has no memory left: then it goes to the disk.
    private func keepInMemory(_ bytes: ByteBuffer, state: inout State) throws -> Bool {
        guard state.file == nil, state.bytes.count + bytes.readableBytes <= GatewayLimits.attachmentInMemory else {
            return false
        }
        do throws(ShareLedger.Refusal) {
            try owner?.memory.take(bytes.readableBytes)
        } catch {
            return false
        }
        state.bytes.append(contentsOf: bytes.readableBytesView)
        return true
    }

    private func keepOnDisk(_ bytes: ByteBuffer, state: inout State) throws {
        let file = try state.file ?? Self.namelessFile(in: folder)
        state.file = file
        let moved = state.bytes.count
        do throws(ShareLedger.Refusal) {
            try owner?.disk.take(moved + bytes.readableBytes)
        } catch {
            throw GatewayError(error, of: "attachments that are being uploaded")
        }
        state.fileBytes += moved + bytes.readableBytes
        volume.hold(state.fileBytes)
        try state.bytes.withUnsafeBytes { try Self.write($0, to: file) }
        owner?.memory.giveBack(moved)
        state.bytes = []
        try bytes.withUnsafeReadableBytes { try Self.write($0, to: file) }
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

    private static let namePrefix = ".attachment-"

    /// Removes the files of a gateway that was killed between creating a file and removing its name.
    static func removeLeftovers(in folder: String) throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: folder) where name.hasExactPrefix(namePrefix) {
            try files.removeItem(atPath: folder + "/" + name)
        }
    }

    private static func namelessFile(in folder: String) throws -> Int32 {
        var template = Array((folder + "/" + namePrefix + "XXXXXX").utf8CString)
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
            ? .diskFull : GatewayError.silentStorage
    }
}

/// The account for an attachment while it is received.
package struct StagingOwner: Sendable {
    let memory: AccountShares.Holder
    let disk: AccountShares.Holder

    package init(memory: AccountShares.Holder, disk: AccountShares.Holder) {
        self.memory = memory
        self.disk = disk
    }
}

extension GatewayError {
    /// - Parameter thing: the kind of content, for the message.
    package init(_ refusal: ShareLedger.Refusal, of thing: String) {
        switch refusal {
        case .share: self = .tooManyBytesOfOne(of: thing)
        case .total: self = .tooManyBytes(of: thing)
        }
    }
}
