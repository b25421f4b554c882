import DocumentValues

/// An HTTP proxy through which the gateway is reached (`CONNECT`).
public struct ProxySettings: Sendable, Hashable {
    /// A name or an address.
    @Exact public var host: String
    /// Not 0.
    public var port: UInt16
    /// `nil` if the proxy needs none; without a colon.
    @Exact public var username: String?
    /// Never in a description or a log.
    @Exact public var password: String?

    /// Without a check; ``ReplicatorConfiguration/validate()`` makes it.
    public init(host: String, port: UInt16, username: String? = nil, password: String? = nil) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
    }

    func validate() throws(ReplicationError) {
        let isOneName = !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isOneName else { throw .invalid("The proxy's host must be a name or an address.") }
        guard port > 0 else { throw .invalid("The proxy's port must not be 0.") }
        // The first colon separates the name from the password (RFC 7617).
        guard username?.utf8.contains(UInt8(ascii: ":")) != true else {
            throw .invalid("The proxy's user name must not contain a colon.")
        }
    }
}

extension ProxySettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the password.
    public var description: String { "\(username.map { "\($0)@" } ?? "")\(host):\(port)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Without the password: loggers and crash reports read mirrors.
    public var customMirror: Mirror {
        Mirror(self, children: ["host": host, "port": port, "username": username as Any])
    }
}
