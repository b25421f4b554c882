import Foundation
import Glibc
import Synchronization

/// Is put between a client and a gateway and counts what goes through, each way.
final class CountingProxy: Sendable {
    let port: Int
    private let listener: Int32
    private let counts = Mutex((up: 0, down: 0))

    init(to target: Int) throws {
        port = freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(port, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw Gateway.Failure(text: "the proxy cannot listen")
        }
        let (socket, counts) = (listener, Counter(self))
        Thread.detachNewThread {
            while true {
                let client = accept(socket, nil, nil)
                guard client >= 0 else { return }
                Self.join(client, target, counts)
            }
        }
    }

    /// Ends the thread that accepts.
    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }

    /// Bytes to the gateway and from it, since the last time.
    func take() -> (up: Int, down: Int) {
        counts.withLock { counts in
            defer { counts = (0, 0) }
            return counts
        }
    }

    /// Does not keep the proxy alive.
    private struct Counter: Sendable {
        private weak let proxy: CountingProxy?

        init(_ proxy: CountingProxy) { self.proxy = proxy }

        func add(up: Int = 0, down: Int = 0) {
            proxy?.counts.withLock { counts in
                counts.up += up
                counts.down += down
            }
        }
    }

    private static func join(_ client: Int32, _ target: Int, _ counts: Counter) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(target, { connect(server, $0, $1) }) == 0 else {
            Glibc.close(server)
            Glibc.close(client)
            return
        }
        let isOneDone = Flag()
        for (from, to, isUp) in [(client, server, true), (server, client, false)] {
            Thread.detachNewThread {
                copy(from, to) { count in isUp ? counts.add(up: count) : counts.add(down: count) }
                shutdown(to, Int32(SHUT_WR))
                guard isOneDone.raise() else { return }
                Glibc.close(client)
                Glibc.close(server)
            }
        }
    }

    /// Of two that raise it, the second is notified.
    private final class Flag: Sendable {
        private let isRaised = Mutex(false)

        func raise() -> Bool {
            isRaised.withLock { isRaised in
                defer { isRaised = true }
                return isRaised
            }
        }
    }

    private static func copy(_ from: Int32, _ to: Int32, _ count: (Int) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let received = recv(from, &buffer, buffer.count, 0)
            guard received > 0 else { return }
            count(received)
            var sent = 0
            while sent < received {
                let now = send(to, Array(buffer[sent..<received]), received - sent, Int32(MSG_NOSIGNAL))
                guard now > 0 else { return }
                sent += now
            }
        }
    }

    private static func withAddress(
        _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
