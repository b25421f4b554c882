import Glibc
import NIOCore
import NIOSSL

extension TransportError {
    /// The meaning of a socket's POSIX error.
    init(errno code: Int32, connectingTo host: String? = nil, underlying: (any Error)? = nil) {
        let target = host.map { " \($0)" } ?? " the other side"
        let (kind, message, hint): (Code, String, String?) =
            switch code {
            case ECONNREFUSED:
                (.refused, "Nothing listens at\(target).", "Check the address and the port, and that the server runs.")
            case ECONNRESET, EPIPE, ECONNABORTED, ENETRESET: (.reset, "The connection to\(target) was cut.", nil)
            case ETIMEDOUT: (.timedOut, "There was no answer from\(target).", "Check the address and the network.")
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, ENOTCONN:
                (.unreachable, "There is no way to\(target).", "Check that the network is connected.")
            default: (.other, "The connection to\(target) failed: \(String(cString: strerror(code))).", nil)
            }
        self.init(kind, message: message, hint: hint, errno: code, underlying: underlying)
    }

    /// The meaning of an error of an open channel.
    init(ofSocket error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case let error as IOError: self.init(errno: error.errnoCode, underlying: error)
        case NIOSSLError.uncleanShutdown:
            self.init(
                .closed(code: WebSocketCloseCode.abnormal), message: "The connection ended without a goodbye.",
                underlying: error
            )
        default: self.init(.other, message: "The connection failed: \(error).", underlying: error)
        }
    }
}
