import DocumentValues
import NIOCore
import SyncFunction

/// What the requests of one connection have in common: made once, since it is asked for with each of them.
final class ClientConnection: Sendable {
    /// Of the task that answers the requests of a connection.
    @TaskLocal static var current: ClientConnection?

    /// The other end: the client, or a proxy in front of it.
    let peer: SocketAddress?
    /// The peer, in the form for counting.
    let address: String
    /// The account of the peer, before a sign-in.
    let account: Name
    let turns = RequestTurns()
    let client = ClientPresence()

    init(from peer: SocketAddress?) {
        self.peer = peer
        address = ClientAddress.text(peer)
        account = GatewayContext.account(ofAddress: address)
    }
}
