import Glibc

/// The gateway's end of a worker's socket. It sends and receives at the same time, so that two full buffers never wait
/// for each other.
struct FramedSocket {
    private static let piece = 1 << 16

    private let descriptor: Int32
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var incoming: [UInt8] = []
    private var consumed = 0

    init(descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    mutating func close() { Glibc.close(descriptor) }

    /// Adds a message, to be sent while answers are awaited.
    mutating func queue(_ message: [UInt8]) {
        if sent == outgoing.count {
            outgoing.removeAll(keepingCapacity: true)
            sent = 0
        }
        withUnsafeBytes(of: UInt32(message.count).littleEndian) { outgoing.append(contentsOf: $0) }
        outgoing.append(contentsOf: message)
    }

    /// The next message; `nil` where nothing moved for so long.
    mutating func receive(within limit: Duration) throws(WorkerProcess.Failure) -> [UInt8]? {
        while true {
            if let message = try takeMessage() { return message }
            guard try move(within: limit) else { return nil }
        }
    }

    /// A message that has already arrived.
    mutating func takeMessage() throws(WorkerProcess.Failure) -> [UInt8]? {
        guard incoming.count - consumed >= 4 else { return nil }
        let length = incoming[consumed..<(consumed + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= SyncFunctionLimits.messageSize else { throw .gone }
        let start = consumed + 4
        guard incoming.count - start >= length else { return nil }
        consumed = start + length
        return Array(incoming[start..<consumed])
    }

    /// Waits until bytes can be sent or received.
    ///
    /// - Returns: false if none could.
    private mutating func move(within limit: Duration) throws(WorkerProcess.Failure) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if sent < outgoing.count { watched.events |= Int16(POLLOUT) }
        let deadline = ContinuousClock.now + limit
        while true {
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard left > 0 else { return false }
            let count = poll(&watched, 1, Int32(left.rounded(.up)))
            if count > 0 { break }
            if count < 0, errno != EINTR { throw .gone }
        }
        if watched.revents & Int16(POLLOUT) != 0 { try push() }
        if watched.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { try pull() }
        return true
    }

    private mutating func push() throws(WorkerProcess.Failure) {
        let count = outgoing.withUnsafeBytes {
            send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { sent += count }
        if count < 0, errno != EAGAIN, errno != EINTR { throw .gone }
    }

    private mutating func pull() throws(WorkerProcess.Failure) {
        if consumed > 0 {
            incoming.removeFirst(consumed)
            consumed = 0
        }
        let count = withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { incoming.append(contentsOf: buffer.prefix(count)) }
            return count
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { throw .gone }
    }
}
