import NIOCore

/// Makes client connections.
public enum BLIPConnector {
    /// Connects, shakes hands (following redirects) and returns a connection from which nothing has been read yet.
    ///
    /// Cancelling the task ends the attempt.
    public static func connect(
        _ configuration: BLIPClientConfiguration, group: any EventLoopGroup
    ) async throws(TransportError) -> BLIPConnection {
        let first = try WebSocketAddress(configuration.url)
        var endpoint = first
        let deadline = NIODeadline.now() + configuration.connectTimeout
        for _ in 0...TransportLimits.redirects {
            let attempt = ClientAttempt(
                configuration, endpoint: endpoint, sendsCredentials: first.sharesCredentials(with: endpoint),
                deadline: deadline,
                loop: group.next())
            do {
                switch try await attempt.run() {
                case .connected(let connection): return connection
                case .redirected(let location):
                    endpoint = try endpoint.redirected(to: location)
                    configuration.report?(.redirected("\(endpoint)"))
                }
            } catch {
                configuration.report?(.failed(error))
                throw error
            }
        }
        throw TransportError(
            .tooManyRedirects, message: "\(first) sends us from one address to the next without end.",
            hint: "The server's redirects are misconfigured.")
    }
}
