import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Looks names up through the system, and distinguishes a name that does not exist from a name server that does not answer:
/// the first is final, the second may pass.
final class NameResolver: Resolver, Sendable {
    private let loop: any EventLoop
    private let report: (@Sendable (ConnectionStep) -> Void)?
    /// How the look-up of the other family of addresses ended, if it was the first to end.
    private let other = NIOLockedValueBox<LookUp?>(nil)

    init(loop: any EventLoop, report: (@Sendable (ConnectionStep) -> Void)? = nil) {
        self.loop = loop
        self.report = report
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        query(host, port: port, family: AF_INET)
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        query(host, port: port, family: AF_INET6)
    }

    private func query(_ host: String, port: Int, family: Int32) -> EventLoopFuture<[SocketAddress]> {
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [self] in
            do {
                let addresses = try Self.addresses(of: host, port: port, family)
                note(LookUp(family: family, result: .success(addresses.compactMap(\.ipAddress))), of: host)
                return addresses
            } catch {
                note(LookUp(family: family, result: .failure(error)), of: host)
                throw error
            }
        }
    }

    private func note(_ lookUp: LookUp, of host: String) {
        let earlier = other.withLockedValue { other in
            defer { other = other == nil ? lookUp : nil }
            return other
        }
        for step in LookUp.steps(host: host, lookUp, after: earlier) { report?(step) }
    }

    /// The system's look-up cannot be stopped; its result is ignored.
    func cancelQueries() {}

    private static func addresses(of host: String, port: Int, _ family: Int32) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = family
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw failure(status, host: host) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let current = entry {
            if let address = current.pointee.ai_addr {
                addresses += [socketAddress(address, family: family)].compactMap { $0 }
            }
            entry = current.pointee.ai_next
        }
        return addresses
    }

    private static func socketAddress(_ address: UnsafeMutablePointer<sockaddr>, family: Int32) -> SocketAddress? {
        switch family {
        case AF_INET: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
        case AF_INET6: address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
        default: nil
        }
    }

    private static func failure(_ status: Int32, host: String) -> TransportError {
        guard status == EAI_AGAIN || status == EAI_SYSTEM else {
            return TransportError(
                .dns(isTemporary: false), message: "There is no host named \(host).",
                hint: "Check the spelling of the address.")
        }
        return TransportError(
            .dns(isTemporary: true), message: "The address of \(host) cannot be looked up now.",
            hint: "Check that the network is connected.")
    }
}
