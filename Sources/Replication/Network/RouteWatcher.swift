import Dispatch
import DocumentStore
import Glibc
import Synchronization

/// Gets the kernel's messages (`rtnetlink`) about links, addresses and routes.
///
/// It needs no privileges, and no daemon that manages the network.
package struct RouteWatcher: NetworkWatching {
    package init() {}

    package func watch(_ notify: @escaping @Sendable (NetworkChange) -> Void) throws -> ListenerToken {
        let descriptor = try Self.open()
        let queue = DispatchQueue(label: "fieldbook.network")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let reader = RouteReader(descriptor, queue: queue)
        source.setEventHandler { if let news = reader.readAll() { notify(news) } }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        // Unsafe only because Dispatch does not declare its sources Sendable; any thread may cancel one.
        nonisolated(unsafe) let cancellable = source
        return ListenerToken { cancellable.cancel() }
    }

    private static func open() throws -> Int32 {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Netlink.family, kind, Netlink.routeProtocol)
        guard descriptor >= 0 else { throw failure() }
        var address = Netlink.address
        let status = address.withUnsafeMutableBytes { bytes in
            bind(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard status == 0 else {
            defer { close(descriptor) }
            throw failure()
        }
        return descriptor
    }

    private static func failure() -> ReplicationError {
        ReplicationError(
            domain: ReplicationError.posixDomain, code: Int(errno), message: "The network cannot be watched.")
    }
}

/// Reads the messages from the socket.
// Unchecked, since it is used on the watcher's queue only, which `readAll` checks.
private final class RouteReader: @unchecked Sendable {
    private let descriptor: Int32
    private let queue: DispatchQueue
    private var messages = RouteMessages()
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)

    init(_ descriptor: Int32, queue: DispatchQueue) {
        self.descriptor = descriptor
        self.queue = queue
    }

    /// If there are several, good news counts.
    func readAll() -> NetworkChange? {
        dispatchPrecondition(condition: .onQueue(queue))
        var news: NetworkChange?
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                if let latest = messages.read(buffer[..<count]), news != .better { news = latest }
            } else if count < 0, errno == ENOBUFS {
                // Messages were lost: anything may have happened.
                news = .better
            } else if count == 0 || errno != EINTR {
                return news
            }
        }
    }
}

/// Numbers of `linux/netlink.h` and `linux/rtnetlink.h`, which Glibc's module does not show.
enum Netlink {
    static let family: Int32 = 16
    static let routeProtocol: Int32 = 0
    static let newLink: UInt16 = 16
    static let deletedLink: UInt16 = 17
    static let newAddress: UInt16 = 20
    static let deletedAddress: UInt16 = 21
    static let newRoute: UInt16 = 24
    static let deletedRoute: UInt16 = 25
    /// `RTMGRP_LINK`, `RTMGRP_IPV4_IFADDR`, `RTMGRP_IPV4_ROUTE`, `RTMGRP_IPV6_IFADDR`, `RTMGRP_IPV6_ROUTE`
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    /// A `sockaddr_nl`: family, padding, a port of the kernel's choice, groups.
    static var address: [UInt8] {
        bytes(UInt16(family)) + [0, 0] + bytes(UInt32(0)) + bytes(groups)
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        var number = number
        return withUnsafeBytes(of: &number) { Array($0) }
    }
}
