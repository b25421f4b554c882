import BLIPProtocol
import BLIPTransport
import DocumentStore
import DocumentValues
import Foundation
import NIOCore
import SyncProtocol

/// Blobs of one connection, both ways, piece by piece.
struct BlobTransfers {
    private struct Download {
        let job: JobID
        let digest: BlobDigest
        let longest: UInt64
        let writer: any BlobWriter
        var bytes: UInt64 = 0
    }

    private let blobs: any BlobStorage
    /// Bytes that the disk has left; `nil` if that is unknown.
    private let room: () -> Int?
    private var downloads: [UInt64: Download] = [:]

    init(_ blobs: any BlobStorage, room: @escaping () -> Int? = { nil }) {
        self.blobs = blobs
        self.room = room
    }

    // MARK: Pull

    /// The result of a download: the request, and the error if it failed.
    struct Outcome {
        let job: JobID
        var received: TransferredAttachment?
        var failure: SyncFailure?
    }

    /// Prepares for a blob that is about to be requested; if this fails, it is not requested.
    ///
    /// - Parameter longest: bytes that it may have.
    /// - Throws: a `StoreError` for a fault of this computer that does not concern this blob only.
    mutating func begin(_ request: GetAttachment, longest: UInt64, tag: UInt64, job: JobID) throws -> SyncFailure? {
        guard let digest = BlobDigest(request.digest) else {
            return SyncFailure(
                .liteCore, code: CBLError.invalidParameter, message: "'\(request.digest)' is not a digest")
        }
        guard hasRoom else { return Self.noRoom }
        do {
            downloads[tag] = Download(job: job, digest: digest, longest: longest, writer: try blobs.writer())
            return nil
        } catch {
            return try Self.failure(error)
        }
    }

    private var hasRoom: Bool { room().map { $0 >= ReplicationLimits.spareDisk } ?? true }

    /// Attachments of other users must not fill the disk: the user's own documents have to be saved and sent.
    private static let noRoom = SyncFailure(
        .posix, code: SyncFailure.noSpaceLeft,
        message: "The disk has no room for an attachment beside the room that is kept free for documents")

    private static func failure(_ error: any Error) throws -> SyncFailure {
        if let error = error as? StoreError, error.isOfThisComputer { throw error }
        return SyncFailure(store: error)
    }

    func expects(_ tag: UInt64) -> Bool { downloads[tag] != nil }

    /// - Throws: a `StoreError` for a fault of this computer, which is not the fault of the blob's document.
    mutating func received(_ bytes: ByteBuffer, tag: UInt64, isLast: Bool) throws -> Outcome? {
        guard let download = downloads[tag] else { return nil }
        let count = download.bytes + UInt64(bytes.readableBytes)
        guard count <= download.longest else { return failed(Self.tooLong(download), tag: tag) }
        guard hasRoom else { return failed(Self.noRoom, tag: tag) }
        do {
            try download.writer.write(bytes.readableBytesView)
            downloads[tag]?.bytes = count
            guard isLast else { return nil }
            _ = try download.writer.finish(expecting: download.digest)
            downloads[tag] = nil
            return Outcome(
                job: download.job,
                received: TransferredAttachment(isPush: false, digest: download.digest, bytes: count))
        } catch {
            let outcome = failed(SyncFailure(store: error), tag: tag)
            _ = try Self.failure(error)
            return outcome
        }
    }

    private static func tooLong(_ download: Download) -> SyncFailure {
        SyncFailure(
            .liteCore, code: CBLError.corruptData,
            message: "The attachment \(download.digest.text) has more bytes than its document says")
    }

    mutating func failed(_ failure: SyncFailure, tag: UInt64) -> Outcome? {
        guard let download = downloads.removeValue(forKey: tag) else { return nil }
        download.writer.cancel()
        return Outcome(job: download.job, failure: failure)
    }

    /// The connection is over: drops unfinished blobs.
    mutating func cancelAll() {
        for download in downloads.values { download.writer.cancel() }
        downloads = [:]
    }

    // MARK: Push

    /// The answer to `getAttachment`, and the bytes that are sent with it.
    func content(
        _ digest: String, for number: UInt32, compresses: Bool
    ) -> (answer: BLIPOutgoing, sent: TransferredAttachment?) {
        guard let valid = BlobDigest(digest) else {
            let reply = BLIPErrorReply(
                domain: "LiteCore", code: CBLError.invalidParameter, message: "Invalid digest")
            return (.failure(to: number, reply), nil)
        }
        do {
            guard let reader = try blobs.reader(for: valid) else { return (.failure(to: number, Self.notFound), nil) }
            let body = BLIPBody.source(BlobSource(reader: reader), length: Int(reader.length))
            return (
                .response(to: number, properties: [:], body: body, isCompressed: compresses),
                TransferredAttachment(isPush: true, digest: valid, bytes: UInt64(reader.length))
            )
        } catch {
            return (.failure(to: number, .http(500, message: "The attachment cannot be read")), nil)
        }
    }

    private static let notFound = BLIPErrorReply(domain: "LiteCore", code: CBLError.notFound, message: "not found")

    /// The answer to `proveAttachment`. It reads the whole blob.
    static func proof(
        _ digest: String, nonce: [UInt8], for number: UInt32, in blobs: any BlobStorage
    ) -> BLIPOutgoing {
        do {
            guard let valid = BlobDigest(digest), let reader = try blobs.reader(for: valid) else {
                return .failure(to: number, .http(404, message: "not found"))
            }
            defer { reader.close() }
            var builder = BlobDigestBuilder(provingWith: nonce)
            while let bytes = try reader.read(upTo: ReplicationLimits.blobPortion) { builder.update(bytes) }
            let proof = Array(builder.finish().text.utf8)
            return .response(to: number, properties: [:], body: .bytes(proof), isCompressed: false)
        } catch {
            return .failure(to: number, .http(500, message: "The attachment cannot be read"))
        }
    }
}

/// A blob that is read while it is sent.
private struct BlobSource: BLIPBodySource {
    let reader: any BlobReader

    mutating func read(upTo count: Int) throws -> ByteBuffer? {
        guard let bytes = try reader.read(upTo: count) else {
            reader.close()
            return nil
        }
        return ByteBuffer(bytes: bytes)
    }
}
