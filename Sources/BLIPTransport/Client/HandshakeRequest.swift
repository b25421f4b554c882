import Crypto
import DocumentValues
import NIOHTTP1

/// The client's side of the WebSocket handshake: the request, and the check of the answer.
struct HandshakeRequest: Sendable {
    /// The base64 of 16 random bytes.
    let key: String
    let head: HTTPRequestHead
    private let subprotocols: [String]

    /// - Parameter sendsCredentials: false after a redirect to another host.
    init(
        _ configuration: BLIPClientConfiguration, to endpoint: WebSocketAddress, sendsCredentials: Bool = true,
        randomness: [UInt8]
    ) throws(TransportError) {
        key = Base64.encode(randomness)
        subprotocols = configuration.subprotocols
        // In the order in which Couchbase Lite writes them.
        var headers: [(name: String, value: String)] = [("Host", endpoint.hostHeader)]
        if sendsCredentials, let authorization = configuration.authorization {
            headers.append(("Authorization", authorization))
        }
        if let cookie = configuration.cookies?.cookie(for: endpoint.url) { headers.append(("Cookie", cookie)) }
        if !configuration.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
            headers.append(("User-Agent", configuration.userAgent))
        }
        // They may hold a token or a key.
        if sendsCredentials { headers += configuration.headers }
        headers += [
            ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", key), ("Sec-WebSocket-Protocol", subprotocols.joined(separator: ",")),
        ]
        for header in headers where !HeaderSyntax.isValid(name: header.name, value: header.value) {
            throw TransportError(
                .protocolViolation, message: "The header '\(HeaderSyntax.shown(header.name))' cannot be sent.",
                hint: "Names are letters, digits and hyphens; values have no line breaks.")
        }
        head = HTTPRequestHead(version: .http1_1, method: .GET, uri: endpoint.path, headers: HTTPHeaders(headers))
    }

    /// The subprotocol that the server chose; throws if its 101 is not the answer to this request.
    func subprotocol(acceptedBy response: HTTPResponseHead) throws(TransportError) -> String {
        let headers = response.headers
        guard headers["Connection"].count == 1, headers["Connection"][0].lowercased() == "upgrade",
            headers["Upgrade"] == ["websocket"]
        else { throw Self.violation("its Connection and Upgrade headers are not those of a WebSocket") }
        guard headers["Sec-WebSocket-Accept"] == [WebSocketKey.acceptance(of: key)] else {
            throw Self.violation("its Sec-WebSocket-Accept does not fit")
        }
        guard headers["Sec-WebSocket-Extensions"].isEmpty else {
            throw Self.violation("it chose a WebSocket extension, and none was offered")
        }
        guard let chosen = headers.first(name: "Sec-WebSocket-Protocol") else {
            throw Self.violation("it chose no subprotocol")
        }
        guard subprotocols.contains(chosen) else {
            throw TransportError(
                .httpStatus(403), message: "The server chose the protocol '\(chosen)', which was not offered.",
                hint: "The server's version may not fit this client's.")
        }
        return chosen
    }

    private static func violation(_ what: String) -> TransportError {
        TransportError(
            .protocolViolation, message: "The server's answer to the handshake is not valid: \(what).",
            hint: "Check that the address is that of a sync gateway, and the proxies in between.")
    }
}

/// RFC 6455's proof that a server has understood the handshake.
enum WebSocketKey {
    private static let magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    static func acceptance(of key: String) -> String {
        Base64.encode(Array(Insecure.SHA1.hash(data: Array((key + magic).utf8))))
    }
}
