import DocumentValues
import Foundation

/// The blobs of an open database. Each call counts as one of the database: once that is closed, nothing is read and nothing is
/// written, so a file that was begun with one key does not get into a folder with another.
struct GatedBlobStorage: BlobStorage {
    let storage: any BlobStorage
    let gate: CallGate

    var kind: BlobStorageKind { storage.kind }
    var sealer: (any RowSealer)? { storage.sealer }
    var access: BlobAccess { storage.access }

    func contains(_ digest: BlobDigest) throws -> Bool { try gate.call { try storage.contains(digest) } }

    func length(of digest: BlobDigest) throws -> UInt64? { try gate.call { try storage.length(of: digest) } }

    func reader(for digest: BlobDigest) throws -> (any BlobReader)? {
        try gate.call { try storage.reader(for: digest).map { Gated($0, gate: gate) } }
    }

    func writer() throws -> any BlobWriter { try gate.call { Gated(try storage.writer(), gate: gate) } }

    func remove(_ digest: BlobDigest) throws { try gate.call { try storage.remove(digest) } }

    func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
        try gate.call { try storage.removeAll(except: keep, untouchedSince: date) }
    }
}

/// A blob that is being read or written, by calls of the database.
private final class Gated<Stream: Sendable>: Sendable {
    let stream: Stream
    let gate: CallGate

    init(_ stream: Stream, gate: CallGate) {
        self.stream = stream
        self.gate = gate
    }
}

extension Gated: BlobReader where Stream == any BlobReader {
    var length: UInt64 { stream.length }

    func read(upTo count: Int) throws -> [UInt8]? { try gate.call { try stream.read(upTo: count) } }

    func close() { stream.close() }
}

extension Gated: BlobWriter where Stream == any BlobWriter {
    func write(_ bytes: some Swift.Collection<UInt8>) throws { try gate.call { try stream.write(bytes) } }

    func finish(expecting expected: BlobDigest?) throws -> BlobMetadata {
        try gate.call { try stream.finish(expecting: expected) }
    }

    func cancel() { stream.cancel() }
}
