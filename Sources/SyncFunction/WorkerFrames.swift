import DocumentValues
import Glibc

/// What goes over the pipes between the gateway and a worker: a length in four bytes, big-endian, and JSON.
enum WorkerFrames {
    enum ReadError: Error { case ended, tooLarge, timedOut }

    static func frame(_ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count)
        return [
            UInt8(truncatingIfNeeded: length >> 24), UInt8(truncatingIfNeeded: length >> 16),
            UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length),
        ] + body
    }

    /// Writes all bytes; false when the other side is gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + offset, bytes.count - offset)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            offset += written
        }
        return true
    }

    /// - Parameter deadline: `nil` waits for ever.
    static func read(from descriptor: Int32, until deadline: ContinuousClock.Instant?) throws(ReadError) -> [UInt8] {
        let head = try bytes(4, from: descriptor, until: deadline)
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        guard length <= SyncFunctionLimits.frame else { throw .tooLarge }
        return try bytes(length, from: descriptor, until: deadline)
    }

    private static func bytes(
        _ count: Int, from descriptor: Int32, until deadline: ContinuousClock.Instant?
    ) throws(ReadError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        var offset = 0
        while offset < count {
            try waitForInput(descriptor, until: deadline)
            let received = buffer.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + offset, count - offset)
            }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { throw .ended }
            offset += received
        }
        return buffer
    }

    private static func waitForInput(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant?
    ) throws(ReadError) {
        guard let deadline else { return }
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            let milliseconds = rest.components.seconds * 1_000 + rest.components.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else { throw .timedOut }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, Int32(clamping: milliseconds))
            if ready > 0 { return }
            if ready == 0 { throw .timedOut }
            guard errno == EINTR else { throw .ended }
        }
    }
}
