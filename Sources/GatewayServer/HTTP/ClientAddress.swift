import DocumentValues
import HTTPTypes
import Hummingbird
import NIOCore

/// The address of a client, in the form for counting.
enum ClientAddress {
    /// - Parameter peer: the other end of the connection.
    static func text(_ peer: SocketAddress?) -> String { NetworkAddress(peer)?.counted ?? "local" }

    /// The client of a request that may have come through trusted proxies. A trusted proxy's header names the address
    /// that connected to it, and so on, back to the first that is not trusted: its own header may be invented.
    ///
    /// - Parameter forwarded: the fields `X-Forwarded-For`, each with addresses of which the last is the newest.
    static func text(_ peer: SocketAddress?, forwarded: [String], trusted: [AddressRange]) -> String {
        guard !trusted.isEmpty, var client = NetworkAddress(peer) else { return text(peer) }
        for name in forwarded.flatMap({ $0.split(atByte: ",") }).reversed() {
            guard trusted.contains(where: { $0.contains(client) }),
                let before = NetworkAddress(text: String(name.trimmingBlanks))
            else { break }
            client = before
        }
        return client.counted
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = utf8.lastIndex { !isBlank($0) }.map { utf8.index(after: $0) } ?? startIndex
        return self[(utf8.firstIndex { !isBlank($0) } ?? end)..<end]
    }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
}

extension GatewayConfiguration {
    /// The address of a client. Only the public port has proxies in front of it; at the others the connected peer is
    /// the client.
    ///
    /// - Parameter forwarded: only read where proxies are trusted.
    func client(
        of connection: ClientConnection, forwarded: @autoclosure () -> [String], port: GatewayPort
    ) -> String {
        guard port == .publicAPI, !trustedProxies.isEmpty else { return connection.address }
        return ClientAddress.text(connection.peer, forwarded: forwarded(), trusted: trustedProxies)
    }
}

/// Facts about a request that are not part of it.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: ClientConnection
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        connection = ClientConnection.current ?? ClientConnection(from: source.channel.remoteAddress)
    }
}
