import NIOCore

extension GatewayChannel {
    /// The same channel, which answers each request of a connection in its turn.
    func taking(_ turns: RequestTurns) -> GatewayChannel {
        let answer = responder
        return GatewayChannel(
            responder: { request, writer, channel in
                try await turns.giveWay(on: channel.eventLoop)
                try await answer(request, writer, channel)
            },
            port: port, gateway: gateway, certificate: certificate, connections: connections)
    }
}
