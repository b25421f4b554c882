import DocumentValues
import GatewayCore
import Logging
import NIOCore

/// Which connections are let in at a port.
///
/// Connections of the public port are many, and soon have an owner. Those of the other two are few, for people and programs
/// that look after the gateway, and nobody has to sign in to open one. So the oldest without a request gives way to a new
/// one there, and an address has its share, but for the machine's own: its scrapers and commands have no other.
struct PortEntries: Sendable {
    private let port: GatewayPort
    private let shares: EntryShares
    /// `nil` where none gives way.
    let unfinished: UnfinishedConnections?

    /// - Parameter accepted: connections that the port has at once.
    init(to port: GatewayPort, accepted: Int, bounds: GatewayBounds, logger: Logger) {
        self.port = port
        let ofAddress: Int
        switch port {
        case .publicAPI:
            ofAddress = bounds.connectionsOfAddress
            unfinished = nil
        case .admin, .metrics:
            ofAddress = bounds.connectionsOfNeighbour
            unfinished = UnfinishedConnections(limit: min(bounds.unfinishedOfAdministrators, accepted / 2))
        }
        shares = EntryShares(
            of: "connections", total: accepted - accepted / GatewayServerLimits.refusedPart,
            ofUser: bounds.connectionsOfUser, ofAddress: ofAddress, logger: logger)
    }

    /// 503 where there are too many; `nil` for a connection that is not counted.
    ///
    /// - Parameter peer: the other end of the connection.
    func pass(from peer: SocketAddress?) throws(GatewayError) -> EntryPass? {
        guard counts(peer) else { return nil }
        return try EntryPass(shares, address: GatewayContext.account(ofAddress: ClientAddress.text(peer)))
    }

    private func counts(_ peer: SocketAddress?) -> Bool {
        switch port {
        case .publicAPI: true
        case .admin, .metrics: NetworkAddress(peer).map { !$0.isLoopback } ?? false
        }
    }
}
