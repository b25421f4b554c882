import DocumentStore
import Foundation

/// The target of a replication.
public protocol Endpoint: Sendable {}

/// A database of a gateway.
public struct URLEndpoint: Endpoint, Hashable {
    /// `ws://host:port/database` or `wss://…`
    public let url: URL

    /// - Parameter url: checked when a replicator starts: it must be `ws` or `wss` and must not carry a password.
    public init(url: URL) { self.url = url }

    func validate() throws(ReplicationError) {
        // The address is not repeated if it may contain a password.
        let shown = url.user == nil && url.password == nil ? url.absoluteString : "…"
        guard let scheme = url.scheme?.lowercased(), scheme == "ws" || scheme == "wss" else {
            throw .invalid("Invalid scheme for URLEndpoint url (\(shown)). It must be either 'ws:' or 'wss:'.")
        }
        guard let host = url.host, !host.isEmpty else {
            throw .invalid(
                "The address \(shown) has no host.",
                hint: "An address has the host, and the name of the database: \(scheme)://gateway.example:4984/field.")
        }
        guard url.user == nil, url.password == nil else {
            throw .invalid(
                "Embedded credentials in a URL (username:password@url) are not allowed. "
                    + "Use the BasicAuthenticator class instead.")
        }
        if let port = url.port, !(1...65_535).contains(port) {
            throw .invalid("The port \(port) of the address is not between 1 and 65535.")
        }
    }

    /// The address without a slash at its end, which identifies the remote.
    var identity: String {
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// The URL that is requested from the gateway.
    var syncAddress: String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return identity }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        parts.percentEncodedPath = path + "/_blipsync"
        return parts.string ?? identity + "/_blipsync"
    }
}
