import NIOCore

/// Makes client connections.
public enum BLIPConnector {
    /// Connects, shakes hands (following redirects) and returns a connection from which nothing has been read yet.
    public static func connect(
        _ configuration: BLIPClientConfiguration, group: any EventLoopGroup
    ) async throws(TransportError) -> BLIPConnection {
        fatalError("to come")
    }
}
