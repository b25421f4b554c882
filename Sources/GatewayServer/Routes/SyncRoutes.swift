import BLIPTransport
import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOHTTP1
import NIOHTTPTypesHTTP1
import SyncProtocol

/// The HTTP part of WebSockets: accepted clients were upgraded before the routes are searched.
enum SyncRoutes {
    /// Shows a client the fault of its handshake.
    @Sendable static func refuse(_ call: RouteCall) async throws -> Response {
        guard try call.database.state == .online else { throw GatewayError.underMaintenance }
        try CrossOrigin.checkWebSocket(call.request, gateway: call.context)
        let headers = HTTPHeaders(call.request.headers)
        // A HEAD is answered as a GET.
        let method = call.request.method == .head ? HTTPMethod.GET.rawValue : call.request.method.rawValue
        let isSync = call.request.components.last == "_blipsync"
        if !isSync, method != HTTPMethod.GET.rawValue {
            return refusal(.method(method), status: WebSocketHandshakeFault.method(method).status)
        }
        if let fault = WebSocketHandshakeFault.first(inHeaders: headers, method: method) {
            // A client that asks for a feed without an upgrade gets 400, as by Sync Gateway, and for a sync 426.
            return refusal(fault, status: isSync ? fault.status : 400)
        }
        let offered = headers[canonicalForm: "Sec-WebSocket-Protocol"].map(String.init)
        guard !isSync || SyncSubprotocol.selected(from: offered) != nil else {
            let spoken = SyncSubprotocol.allCases.map(\.rawValue).joined(separator: ",")
            return text(400, text: "I only speak \(spoken) protocols")
        }
        // Such as a database that was offline for a moment: stock clients take 426 as final.
        if case .open = call.request.handshake { throw GatewayError.refusalHasPassed }
        let reason = "No WebSocket: this connection cannot be upgraded; open another one, with HTTP/1.1"
        return text(426, text: reason, headers: WebSocketHandshakeFault.httpVersion.headers)
    }

    private static func refusal(_ fault: WebSocketHandshakeFault, status: Int) -> Response {
        text(status, text: "No WebSocket: \(fault.explanation)", headers: fault.headers)
    }

    private static func text(
        _ status: Int, text: String, headers: [(name: String, value: String)] = []
    ) -> Response {
        var fields: HTTPFields = [.xContentTypeOptions: "nosniff"]
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        return .bytes(
            Array("\(text)\n".utf8), type: "text/plain; charset=utf-8", status: .init(code: status), headers: fields)
    }
}
