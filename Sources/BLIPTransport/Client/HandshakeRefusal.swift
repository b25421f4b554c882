import DocumentValues
import NIOCore
import NIOHTTP1

/// An answer to the handshake other than 101.
enum HandshakeRefusal {
    /// The target of a redirect; an empty one is no address.
    static func redirect(_ head: HTTPResponseHead) -> String? {
        switch head.status.code {
        case 301, 302, 307, 308: head.headers.first(name: "Location") ?? ""
        default: nil
        }
    }

    static func error(_ head: HTTPResponseHead, body: ByteBuffer, from endpoint: WebSocketAddress) -> TransportError {
        let status = Int(head.status.code)
        guard !(200..<300).contains(status) else {
            return TransportError(
                .protocolViolation, message: "\(endpoint) answers, but not as a sync gateway does.",
                hint: "Check the address and its path, and the proxies in between.")
        }
        let reason = reason(head, body: body)
        let said = reason.map { ": \($0)" } ?? ""
        var error = TransportError(
            .httpStatus(status), message: "\(endpoint) refused with HTTP \(status)\(said).",
            hint: hint(status, head: head, endpoint: endpoint),
            serverReason: reason)
        error.retryAfter = retryAfter(head)
        return error
    }

    /// The form in seconds (RFC 9110, 10.2.3). The form with a date is ignored: it would need clocks that agree.
    private static func retryAfter(_ head: HTTPResponseHead) -> Int? {
        head.headers.first(name: "Retry-After").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The server's reason: the `reason` of a JSON body, or a plain text.
    private static func reason(_ head: HTTPResponseHead, body: ByteBuffer) -> String? {
        let type = head.headers.first(name: "Content-Type")?.lowercased() ?? ""
        let bytes = Array(body.readableBytesView)
        if type.hasPrefix("application/json") {
            return (try? JSONValue(parsing: bytes))?["reason"]?.stringValue
        }
        guard type.hasPrefix("text/plain") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.prefix { !$0.isNewline }
        return line.isEmpty ? nil : String(line)
    }

    private static func hint(_ status: Int, head: HTTPResponseHead, endpoint: WebSocketAddress) -> String? {
        // Servers answer so, in plain text or with a page, to a request without TLS on a port with TLS.
        if status == 400, !endpoint.isSecure, !isJSON(head) {
            return "If this port speaks TLS, the address must begin with wss:// instead of ws://."
        }
        return hint(status)
    }

    private static func isJSON(_ head: HTTPResponseHead) -> Bool {
        head.headers.first(name: "Content-Type")?.lowercased().hasPrefix("application/json") ?? false
    }

    private static func hint(_ status: Int) -> String? {
        switch status {
        case 401: "Check the user name and the password, and the name of the database."
        case 403: "This user may not sync here."
        case 404: "Check the name of the database in the address."
        case 407: "The proxy wants a user name and a password."
        case _ where PassingStatus.all.contains(status): "The server is busy or being restarted; try again later."
        default: nil
        }
    }
}
