import Foundation
import Glibc
import Synchronization

/// Passes one connection on to the gateway and counts the bytes of both directions.
final class CountingRelay: Sendable {
    let port: Int
    private let listener: Int32
    private let count = Mutex(0)

    init(to target: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard LoopbackAddress.with(port: 0, { bind(listener, $0, $1) }) == 0, listen(listener, 1) == 0 else {
            throw BenchmarkFailure("no port is free")
        }
        self.listener = listener
        port = LoopbackAddress.port(of: listener)
        Thread.detachNewThread { self.relay(to: target) }
    }

    deinit { close(listener) }

    var bytes: Int { count.withLock { $0 } }

    private func relay(to target: Int) {
        let client = accept(listener, nil, nil)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard client >= 0, LoopbackAddress.connect(server, port: target) else { return }
        Thread.detachNewThread { self.pump(from: server, to: client) }
        pump(from: client, to: server)
    }

    private func pump(from source: Int32, to destination: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let received = recv(source, &buffer, buffer.count, 0)
            guard received > 0 else { break }
            count.withLock { $0 += received }
            var sent = 0
            while sent < received {
                let written = buffer[sent..<received].withUnsafeBytes {
                    send(destination, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return }
                sent += written
            }
        }
        shutdown(destination, Int32(SHUT_WR))
    }
}
