import Glibc

/// A worker's end of the socket: blocking, with framed messages.
struct WorkerSocket {
    private static let piece = 1 << 16

    let descriptor: Int32
    private var incoming: [UInt8] = []
    private var outgoing: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next message; `nil` at the end, or when the bytes cannot be a message.
    mutating func read() -> [UInt8]? {
        guard fill(4) else { return nil }
        let length = incoming.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= SyncFunctionLimits.messageSize, fill(4 + length) else { return nil }
        defer { incoming.removeFirst(4 + length) }
        return Array(incoming[4..<(4 + length)])
    }

    private mutating func fill(_ count: Int) -> Bool {
        while incoming.count < count {
            let got = withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 1) { buffer in
                let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if got > 0 { incoming.append(contentsOf: buffer.prefix(got)) }
                return got
            }
            guard got > 0 || (got < 0 && errno == EINTR) else { return false }
        }
        return true
    }

    /// Adds a message to those that wait for `flush`.
    mutating func write(_ message: [UInt8]) -> Bool {
        withUnsafeBytes(of: UInt32(message.count).littleEndian) { outgoing.append(contentsOf: $0) }
        outgoing.append(contentsOf: message)
        return outgoing.count < SyncFunctionLimits.messageSize / 8 || flush()
    }

    mutating func flush() -> Bool {
        var sent = 0
        while sent < outgoing.count {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || (count < 0 && errno == EINTR) else { return false }
            sent += max(0, count)
        }
        outgoing.removeAll(keepingCapacity: true)
        return true
    }
}
