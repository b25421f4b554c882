import NIOCore

extension GatewayChannel {
    /// The same channel, in which the requests of a connection take turns with those of others.
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
