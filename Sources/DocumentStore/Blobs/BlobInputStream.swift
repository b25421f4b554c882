import Foundation

/// A stored blob as the stream that Foundation's users expect.
// Like every InputStream it is used by one thread at a time.
final class BlobInputStream: InputStream {
    private let reader: any BlobReader
    private var status = Status.notOpen
    private var failure: (any Error)?
    /// Read ahead by one portion, so that `hasBytesAvailable` can see the end.
    private var pending: ArraySlice<UInt8> = []

    init(_ reader: any BlobReader) {
        self.reader = reader
        super.init(data: Data())
    }

    override var streamStatus: Status { status }
    override var streamError: (any Error)? { failure }

    override func open() {
        status = .open
        fill()
    }

    override func close() {
        reader.close()
        status = .closed
    }

    override var hasBytesAvailable: Bool { status == .open && !pending.isEmpty }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard failure == nil else { return -1 }
        let count = min(length, pending.count)
        pending.prefix(count).withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { buffer.update(from: start, count: bytes.count) }
        }
        pending = pending.dropFirst(count)
        if pending.isEmpty { fill() }
        return count
    }

    private func fill() {
        guard status == .open else { return }
        do {
            if let bytes = try reader.read(upTo: StoreLimits.blobPortion) {
                pending = bytes[...]
            } else {
                status = .atEnd
            }
        } catch {
            failure = error
            status = .error
        }
    }
}
