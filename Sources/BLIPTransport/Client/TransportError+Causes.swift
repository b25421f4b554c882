import Glibc
import NIOCore
import NIOPosix
import NIOSSL

extension TransportError {
    /// Why no connection could be made.
    init(connecting error: any Error, to endpoint: WebSocketAddress) {
        switch error {
        case let error as TransportError: self = error
        case let error as NIOConnectionError: self.init(error, endpoint: endpoint)
        case let error as IOError: self.init(errno: error.errnoCode, connectingTo: "\(endpoint)", underlying: error)
        case ChannelError.connectTimeout: self = .timedOut(endpoint)
        default: self.init(.other, message: "The connection to \(endpoint) failed: \(error).", underlying: error)
        }
    }

    private init(_ error: NIOConnectionError, endpoint: WebSocketAddress) {
        if let failure = error.connectionErrors.first(where: { $0.error is IOError }) ?? error.connectionErrors.first {
            self.init(connecting: failure.error, to: endpoint)
        } else if let failure = (error.dnsAError ?? error.dnsAAAAError) as? TransportError {
            self = failure
        } else {
            self.init(.dns(isTemporary: false), message: "The name \(endpoint.host) has no address.", underlying: error)
        }
    }

    /// The other side, or a device in between, ended the connection before the handshake was over. The other side may
    /// still be a gateway, and the next attempt may succeed.
    static func endedInHandshake(_ error: (any Error)?) -> TransportError {
        TransportError(
            .closed(code: WebSocketCloseCode.abnormal), message: "The connection ended in the middle of the handshake.",
            hint: "Check the address, whether it must be wss:// instead of ws://, and the proxies in between.",
            underlying: error)
    }

    /// An end, reported as an error: by the TLS library, or because there was no channel left for the next step.
    static func isEndInHandshake(_ error: any Error) -> Bool {
        switch error {
        case NIOSSLError.uncleanShutdown: true
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.eof: true
        // A closed channel has no handlers any more.
        case is ChannelPipelineError: true
        // A client that had connected, and whose peer is gone when it writes.
        case let error as IOError: [EPIPE, ENOTCONN].contains(error.errnoCode)
        case NIOSSLError.handshakeFailed(.sslError(let stack)):
            stack.contains(.eofDuringHandshake) || stack.contains(.eofDuringAdditionalCertficiateChainValidation)
        default: false
        }
    }

    static func timedOut(_ endpoint: WebSocketAddress) -> TransportError {
        TransportError(
            .timedOut, message: "There was no answer from \(endpoint) in time.",
            hint: "Check the address and the network.")
    }
}
