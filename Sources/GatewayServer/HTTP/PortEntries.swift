import DocumentValues
import GatewayCore
import Logging
import NIOCore

/// Which connections a port accepts.
///
/// Connections of the public port are many, and soon have an owner. Those of the other two are few, for people and programs
/// that look after the gateway, and opening one needs no sign-in. So there the oldest connection without a request is
/// closed for a new one, and each address has its share. The machine's own address is exempt, because all its scrapers and
/// commands share it.
struct PortEntries: Sendable {
    private let port: GatewayPort
    private let shares: EntryShares
    /// `nil` for a port that closes none for a new one.
    let unfinished: UnfinishedConnections?

    /// - Parameter accepted: the most simultaneous connections of the port.
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

    /// Throws 503 if there are too many; `nil` for a connection that is not counted.
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
