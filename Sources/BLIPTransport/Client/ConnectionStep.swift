/// A step on the way to a connection, for a user who looks for the reason of a failure: hosts, addresses and results,
/// nothing secret.
public enum ConnectionStep: Sendable, CustomStringConvertible {
    case connecting(host: String, port: Int)
    case found(host: String, addresses: [String])
    case notFound(host: String, reason: String)
    /// A host without addresses of a family, such as `IPv6`, that has others.
    case missing(host: String, family: String)
    /// A socket to this address, from this one.
    case opened(remote: String, local: String)
    case tunneled(proxy: String)
    /// The result for the server's certificate; `refused` is `nil` if it is accepted.
    case certificate(String, refused: TransportError.TLSFailure?)
    /// The answer to the WebSocket handshake.
    case answered(status: Int, subprotocol: String?)
    case redirected(String)
    case failed(TransportError)

    /// Whether the step is a failure.
    public var isFailure: Bool {
        switch self {
        case .notFound, .failed: true
        case .certificate(_, let refused): refused != nil
        case .answered(let status, _): status != 101
        case .connecting, .found, .missing, .opened, .tunneled, .redirected: false
        }
    }

    public var description: String {
        switch self {
        case .connecting(let host, let port): "Connecting to \(host), port \(port)"
        case .found(let host, let addresses): "\(host) has the addresses \(addresses.joined(separator: ", "))"
        case .notFound(let host, let reason): "\(host) cannot be looked up: \(reason)"
        case .missing(let host, let family): "\(host) has no \(family) address"
        case .opened(let remote, let local): "Connected to \(remote) from \(local)"
        case .tunneled(let proxy): "The proxy \(proxy) has opened a tunnel"
        case .certificate(let subject, nil): "The certificate '\(subject)' is accepted"
        case .certificate(let subject, let failure?):
            "The certificate '\(subject)' is refused: \(failure.rawValue)"
        case .answered(let status, let subprotocol):
            "The handshake was answered with \(status)" + (subprotocol.map { ", protocol \($0)" } ?? "")
        case .redirected(let location): "Redirected to \(location)"
        case .failed(let error): "No connection: \(error)"
        }
    }
}
