import DocumentValues
import NIOHTTP1

/// The fault of a request that should have opened a WebSocket (RFC 6455, 4.2.1).
public enum WebSocketHandshakeFault: Sendable, Hashable {
    case method(String)
    /// HTTP before 1.1 has no upgrade.
    case httpVersion
    /// It does not request an upgrade to a WebSocket at all.
    case noUpgrade(header: String, value: String, token: String)
    case version(String)
    case missingKey
    case severalKeys
    /// Not the base64 form of 16 bytes.
    case invalidKey

    /// The status that answers the client.
    public var status: Int {
        switch self {
        case .method: 405
        case .httpVersion, .noUpgrade: 426
        case .version, .missingKey, .severalKeys, .invalidKey: 400
        }
    }

    public var explanation: String {
        switch self {
        case .method(let method): "a WebSocket is opened with GET, not with \(method)"
        case .httpVersion: "a WebSocket is opened with HTTP/1.1"
        case .noUpgrade(let header, let value, let token): "the header \(header) \"\(value)\" does not name \(token)"
        case .version(let version): "only version 13 of the WebSocket protocol is spoken, not \"\(version)\""
        case .missingKey: "the header Sec-WebSocket-Key is missing"
        case .severalKeys: "there is more than one header Sec-WebSocket-Key"
        case .invalidKey: "the Sec-WebSocket-Key is not 16 bytes in base64"
        }
    }

    /// Headers of the answer that show the client the right form.
    public var headers: [(name: String, value: String)] {
        switch self {
        case .noUpgrade, .httpVersion: [("Upgrade", "websocket"), ("Connection", "Upgrade")]
        case .version: [("Sec-WebSocket-Version", "13")]
        case .method: [("Allow", "GET")]
        case .missingKey, .severalKeys, .invalidKey: []
        }
    }

    /// The first fault of a request, in the order in which Sync Gateway checks; `nil` for a valid handshake.
    public static func first(in head: HTTPRequestHead) -> WebSocketHandshakeFault? {
        guard head.version == .http1_1 else { return .httpVersion }
        return first(inHeaders: head.headers, method: head.method.rawValue)
    }

    /// The same where the version is not known.
    public static func first(inHeaders headers: HTTPHeaders, method: String) -> WebSocketHandshakeFault? {
        for (name, token) in [("Connection", "Upgrade"), ("Upgrade", "websocket")] {
            let tokens = headers[canonicalForm: name].map { $0.lowercased() }
            guard tokens.contains(token.lowercased()) else {
                return .noUpgrade(header: name, value: headers.first(name: name) ?? "", token: token)
            }
        }
        guard method == HTTPMethod.GET.rawValue else { return .method(method) }
        let version = headers[canonicalForm: "Sec-WebSocket-Version"]
        guard version == ["13"] else { return .version(version.joined(separator: ", ")) }
        let keys = headers["Sec-WebSocket-Key"]
        guard let key = keys.first else { return .missingKey }
        guard keys.count == 1 else { return .severalKeys }
        return Base64.decode(key)?.count == 16 ? nil : .invalidKey
    }
}
