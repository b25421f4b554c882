/// How a connection ended.
public struct BLIPCloseReason: Sendable, CustomStringConvertible {
    /// The WebSocket close code; 1006 when there was no close handshake.
    public var code: UInt16
    /// The text beside the code.
    public var reason: String
    /// Whether the peer began the closing (or vanished), rather than this side.
    public var isByPeer: Bool
    /// The error that broke the connection; `nil` after a close handshake.
    public var error: TransportError?

    public init(code: UInt16, reason: String = "", isByPeer: Bool, error: TransportError? = nil) {
        self.code = code
        self.reason = reason
        self.isByPeer = isByPeer
        self.error = error
    }

    public var description: String {
        let side = isByPeer ? "by the peer" : "by this side"
        return "closed \(side) with \(code)" + (reason.isEmpty ? "" : " '\(reason)'") + (error.map { ": \($0)" } ?? "")
    }
}

/// The close codes that the replication protocol uses.
public enum WebSocketCloseCode {
    public static let normal: UInt16 = 1000
    public static let goingAway: UInt16 = 1001
    public static let protocolError: UInt16 = 1002
    public static let unsupportedData: UInt16 = 1003
    /// Never on the wire: a Close came without a code.
    public static let noStatus: UInt16 = 1005
    /// Never on the wire: the connection ended without a Close.
    public static let abnormal: UInt16 = 1006
    public static let tooLarge: UInt16 = 1009
    public static let unexpectedCondition: UInt16 = 1011
    /// The client should come back: sent by a gateway that restarts.
    public static let transientApplicationError: UInt16 = 4001
}
