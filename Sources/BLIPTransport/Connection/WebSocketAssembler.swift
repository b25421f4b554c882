import NIOCore
import NIOWebSocket

/// Which side of the connection this is.
enum ConnectionRole: Sendable {
    case client
    case server
}

/// The meaning of a WebSocket frame for a BLIP connection.
enum WebSocketEvent: Equatable {
    case message(ByteBuffer)
    case ping(ByteBuffer)
    case pong
    /// Without a code when the peer gave none.
    case close(code: UInt16?, reason: String)
    /// Part of a message that is not whole yet.
    case incomplete
}

/// A frame that RFC 6455, or BLIP's use of it, does not allow, with the close code.
struct WebSocketViolation: Error, Equatable {
    let code: UInt16
    let reason: String

    static func protocolError(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: WebSocketCloseCode.protocolError, reason: reason)
    }
}

/// Checks WebSocket frames and joins fragments to messages.
struct WebSocketAssembler {
    let role: ConnectionRole
    private var fragments: ByteBuffer?
    private var fragmentCount = 0

    init(role: ConnectionRole) { self.role = role }

    /// Bytes of a message whose fragments are not all here.
    var bytes: Int { fragments?.readableBytes ?? 0 }

    var isInMessage: Bool { fragments != nil }

    mutating func receive(_ frame: WebSocketFrame) throws(WebSocketViolation) -> WebSocketEvent {
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            throw .protocolError("no extension was agreed on")
        }
        guard (frame.maskKey != nil) == (role == .server) else {
            throw .protocolError(role == .server ? "a client must mask its frames" : "a server must not mask")
        }
        switch frame.opcode {
        case .binary: return try begin(frame)
        case .continuation: return try goOn(frame)
        case .text: throw WebSocketViolation(code: WebSocketCloseCode.unsupportedData, reason: "BLIP is binary")
        case .ping: return .ping(frame.unmaskedData)
        case .pong: return .pong
        case .connectionClose: return try close(frame.unmaskedData)
        default: throw .protocolError("unknown opcode")
        }
    }

    private mutating func begin(_ frame: WebSocketFrame) throws(WebSocketViolation) -> WebSocketEvent {
        guard fragments == nil else { throw .protocolError("a message began inside another") }
        guard !frame.fin else { return .message(frame.unmaskedData) }
        fragments = frame.unmaskedData
        fragmentCount = 1
        return .incomplete
    }

    private mutating func goOn(_ frame: WebSocketFrame) throws(WebSocketViolation) -> WebSocketEvent {
        guard var message = fragments else { throw .protocolError("a continuation of nothing") }
        fragments = nil
        fragmentCount += 1
        message.writeImmutableBuffer(frame.unmaskedData)
        guard message.readableBytes <= TransportLimits.webSocketMessageBytes,
            fragmentCount <= TransportLimits.webSocketFragments
        else { throw WebSocketViolation(code: WebSocketCloseCode.tooLarge, reason: "message too large") }
        if frame.fin { return .message(message) }
        fragments = message
        return .incomplete
    }

    private func close(_ payload: ByteBuffer) throws(WebSocketViolation) -> WebSocketEvent {
        var payload = payload
        guard payload.readableBytes > 0 else { return .close(code: nil, reason: "") }
        guard let code: UInt16 = payload.readInteger(), Self.isValid(code) else {
            throw .protocolError("a Close without a valid code")
        }
        guard let reason = String(validating: payload.readableBytesView, as: UTF8.self) else {
            throw .protocolError("a Close whose reason is not UTF-8")
        }
        return .close(code: code, reason: reason)
    }

    /// The codes that may be in a Close (RFC 6455, 7.4).
    private static func isValid(_ code: UInt16) -> Bool {
        switch code {
        case 1004, 1005, 1006: false
        case 1000...1014, 3000...4999: true
        default: false
        }
    }
}
