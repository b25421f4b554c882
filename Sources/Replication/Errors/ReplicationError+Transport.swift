import BLIPTransport
import DocumentStore
import DocumentValues
import Foundation

/// Connecting: the transport's errors in the numbers of Couchbase Lite.
extension ReplicationError {
    init(_ error: TransportError) {
        let (domain, code) = Self.number(of: error)
        self.init(
            domain: domain, code: code, message: error.serverReason.flatMap { $0.isEmpty ? nil : $0 } ?? error.message,
            hint: error.hint, underlying: error)
    }

    private static func number(of error: TransportError) -> (domain: String, code: Int) {
        let code = error.code
        if let status = code.httpStatus { return (CBLError.domain, CBLError.httpBase + status) }
        if let close = code.closeCode { return (CBLError.domain, CBLError.httpBase + Int(close)) }
        if let failure = code.tlsFailure { return (CBLError.domain, number(of: failure)) }
        if let isTemporary = code.isTemporaryDNSFailure {
            return (CBLError.domain, isTemporary ? CBLError.dnsFailure : CBLError.unknownHost)
        }
        switch code {
        case .refused: return (posixDomain, Int(error.errno ?? ECONNREFUSED))
        case .reset: return (posixDomain, Int(error.errno ?? ECONNRESET))
        case .unreachable: return (posixDomain, Int(error.errno ?? EHOSTUNREACH))
        case .timedOut, .silent: return (CBLError.domain, CBLError.timeout)
        case .tooManyRedirects: return (CBLError.domain, CBLError.tooManyRedirects)
        case .invalidRedirect: return (CBLError.domain, CBLError.invalidRedirect)
        case .invalidURL: return (CBLError.domain, CBLError.invalidURL)
        case .unknownInterface: return (CBLError.domain, CBLError.unknownInterface)
        case .protocolViolation: return (CBLError.domain, CBLError.webSocketProtocolError)
        case .proxy: return (CBLError.domain, CBLError.notConnected)
        case .aborted: return (CBLError.domain, CBLError.connectionAborted)
        // The transport's list may grow.
        default: return (CBLError.domain, CBLError.unexpectedError)
        }
    }

    private static func number(of failure: TransportError.TLSFailure) -> Int {
        switch failure {
        case .untrusted, .selfSigned, .selfSignedNotPinned: CBLError.tlsCertUnknownRoot
        case .notSelfSigned, .notPinned: CBLError.tlsCertUntrusted
        case .expired: CBLError.tlsCertExpired
        case .hostMismatch: CBLError.tlsCertNameMismatch
        // There is no separate number for a certificate that is not valid yet.
        case .handshakeFailed, .badConfiguration, .notYetValid: CBLError.tlsHandshakeFailed
        }
    }
}

/// Which errors may pass by themselves.
extension ReplicationError {
    /// The same attempt may succeed a little later (§1.11, and, by the reference's documentation, 500 and 1001).
    package var isTransient: Bool {
        if domain == Self.posixDomain {
            return [ENETRESET, ECONNABORTED, ECONNRESET, ETIMEDOUT, ECONNREFUSED].contains(Int32(clamping: code))
        }
        return Self.transientCodes.contains(code)
    }

    /// Seconds after which the gateway wants the next attempt, if it has sent that.
    package var retryAfter: TimeInterval? { (underlying as? TransportError)?.retryAfter.map { TimeInterval($0) } }

    /// The gateway keeps the connection open, and sends nothing.
    package var isSilence: Bool { (underlying as? TransportError)?.code == .silent }

    /// This computer's disk, not the gateway's.
    package var isDiskFull: Bool {
        domain == Self.posixDomain && code == Int(ENOSPC) || (underlying as? StoreError)?.code == .diskFull
    }

    /// The database was locked for longer than the time limit, by an import or a long batch. That will end.
    var isOfLockedDatabase: Bool { domain == CBLError.domain && code == CBLError.busy }

    /// The line is at fault: the gateway has neither answered with a status nor closed the connection.
    var isOfLine: Bool {
        guard isTransient || dependsOnNetwork else { return false }
        return domain == Self.posixDomain || code < CBLError.httpBase || code == CBLError.webSocketAbnormalClose
    }

    /// The gateway has answered with a status.
    var isAnswer: Bool {
        domain == CBLError.domain && (CBLError.httpBase + 300..<CBLError.httpBase + 600).contains(code)
    }

    private static let transientCodes = Set<Int>([
        CBLError.dnsFailure, CBLError.timeout, CBLError.networkReset, CBLError.connectionAborted,
        CBLError.connectionReset, CBLError.connectionRefused, CBLError.httpBase + 500,
        CBLError.webSocketGoingAway, CBLError.webSocketAbnormalClose, CBLError.webSocketCloseUserTransient,
    ]).union(PassingStatus.all.map { CBLError.httpBase + $0 })

    /// The next attempt may succeed after a change of the network: a continuous replication waits for that.
    package var dependsOnNetwork: Bool {
        if domain == Self.posixDomain {
            return [
                ENETDOWN, ENETUNREACH, ENOTCONN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, EADDRNOTAVAIL, EPIPE,
            ].contains(Int32(clamping: code))
        }
        return [
            CBLError.dnsFailure, CBLError.unknownHost, CBLError.networkDown, CBLError.networkUnreachable,
            CBLError.notConnected, CBLError.timeout, CBLError.hostDown, CBLError.hostUnreachable,
            CBLError.addressNotAvailable, CBLError.brokenPipe, CBLError.unknownInterface,
        ].contains(code)
    }
}
