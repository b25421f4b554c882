import BLIPTransport
import DocumentStore
import DocumentValues
import Foundation

/// The directions of a replication.
public enum ReplicatorType: UInt8, Sendable {
    /// Both; the default.
    case pushAndPull = 0
    /// Local changes only.
    case push
    /// Remote changes only.
    case pull

    var pushes: Bool {
        switch self {
        case .pushAndPull, .push: true
        case .pull: false
        }
    }

    var pulls: Bool {
        switch self {
        case .pushAndPull, .pull: true
        case .push: false
        }
    }
}

/// The collections that a replicator replicates, the target, and the options.
///
/// A replicator takes a copy: changing the configuration later has no effect on it. `validate()` finds invalid values;
/// a replicator with such a configuration stops at once with the same error.
public struct ReplicatorConfiguration: Sendable {
    /// The target: a gateway, or another database.
    public let target: any Endpoint
    /// The replicated collections, in the order in which they were added.
    public package(set) var collections: [CollectionConfiguration]
    /// Both ways by default.
    public var replicatorType = Self.defaultType
    /// Goes on until it is stopped, instead of until everything is exchanged.
    public var continuous = Self.defaultContinuous
    /// The user, as a ``BasicAuthenticator`` or a ``SessionAuthenticator``; `nil` for none, if the gateway allows guests.
    public var authenticator: (any Authenticator)?
    /// Accepts only certificates that are signed by themselves, and none of an authority.
    public var acceptOnlySelfSignedServerCertificate = Self.defaultSelfSignedCertificateOnly
    /// Accepts only servers with this certificate, or one that it signed, while it is valid. The name of the host is
    /// not compared, unless the pinned certificate is that of a public authority.
    public var pinnedServerCertificate: Certificate?
    /// Accepts only servers whose certificate was signed by one of these authorities, instead of one of the system's.
    public var trustedRootCertificates: [Certificate]?
    /// Sent with the request that opens the connection, but not to another host to which a redirect leads. Those of the
    /// handshake itself, such as `Host` and `Sec-WebSocket-Key`, are refused.
    public var headers: [String: String]?
    /// The name or the address of the network interface to use.
    public var networkInterface: String?
    /// `nil` for a direct connection, the default.
    public var proxy: ProxySettings?
    /// Accept cookies that a server sets for its parent domain.
    public var acceptParentDomainCookie = Self.defaultAcceptParentDomainCookie
    /// Seconds between pings, from a tenth of a second to a year; 0 means the default of 300.
    public var heartbeat: TimeInterval = Self.defaultHeartbeat
    /// The longest wait between attempts, in seconds, even if the gateway asks for more (`Retry-After`); 300 by default.
    /// Neither zero nor negative, as in Couchbase Lite 3.0. In later versions 0 means the default: code for those that sets 0
    /// has to leave it out.
    public var maxAttemptWaitTime: TimeInterval = Self.defaultMaxAttemptsWaitTime
    /// Documents to which the user has lost access are purged. Edits that no gateway ever got are quarantined first.
    /// Has no effect in a collection whose `documentIDs` are given.
    public var enableAutoPurge = Self.defaultEnableAutoPurge

    /// Whether a one-shot run ends with the first silence of the gateway, even if the gateway owes no reply. Not for
    /// resolvers and filters that take minutes, because a gateway may have nothing to send in that time.
    package var endsInSilence = false

    private var givenMaxAttempts: UInt?

    /// Attempts in a row; a connection that works resets the count. The default is 10, or no limit if continuous.
    ///
    /// 1 means no second attempt, and so does 0. In Couchbase Lite 0 means the default: code for that which sets 0 has
    /// to leave it out.
    public var maxAttempts: UInt {
        get { givenMaxAttempts ?? (continuous ? Self.defaultMaxAttemptsContinuous : Self.defaultMaxAttemptsSingleShot) }
        set { givenMaxAttempts = newValue }
    }

    /// One-shot, both ways, without a user.
    public init(collections: [CollectionConfiguration], target: any Endpoint) {
        self.collections = collections
        self.target = target
    }

    /// A copy.
    public init(config: ReplicatorConfiguration) { self = config }

    /// The database of the collections; `nil` without collections.
    var database: Database? { collections.first?.collection.database }

    var effectiveHeartbeat: TimeInterval { heartbeat == 0 ? ReplicationLimits.heartbeat : heartbeat }
}

extension ReplicatorConfiguration {
    /// Finds invalid values: collections, channels, the target, times, headers, certificates, the authenticator and the proxy.
    ///
    /// - Throws: ``ReplicationError`` with the code `CBLError.invalidParameter`; its message names the first value that is not
    ///   valid.
    public func validate() throws(ReplicationError) {
        guard let first = collections.first else { throw .invalid("collections must not be empty.") }
        guard collections.count <= ReplicationLimits.collections else {
            throw .invalid(
                "\(collections.count) collections are more than the \(ReplicationLimits.collections) that one replicator "
                    + "replicates. Use several replicators.")
        }
        guard collections.allSatisfy({ $0.optionalCollection != nil }) else {
            throw .invalid(
                "A collection's configuration names no collection. Use CollectionConfiguration(collection:).")
        }
        for other in collections.dropFirst() where other.collection.database !== first.collection.database {
            throw .invalid("Collection \(other.collection.fullName) belongs to a different database instance.")
        }
        var names: Set<Name> = []
        for name in collections.map(\.collection.fullName) where !names.insert(Name(name)).inserted {
            throw .invalid("Collection \(name) is configured twice.")
        }
        for channel in collections.flatMap({ $0.channels ?? [] }) where channel.isEmpty || channel.utf8.contains(0) {
            throw .invalid("The name of a channel must not be empty, nor hold a NUL.")
        }
        switch try KnownEndpoint(target) {
        case .url(let endpoint): try endpoint.validate()
        case .database(let endpoint): try validate(endpoint)
        }
        try Self.validate(heartbeat, of: "heartbeat")
        try Self.validate(maxAttemptWaitTime, of: "maxAttemptWaitTime")
        guard maxAttemptWaitTime > 0 else {
            throw .invalid(
                "Attempt to store zero value in maxAttemptWaitTime",
                hint: "Leave it out for the default of \(Int(ReplicationLimits.maxAttemptWaitTime)) seconds.")
        }
        if let interface = networkInterface, interface.isEmpty {
            throw .invalid("The name of the network interface must not be empty.")
        }
        if acceptOnlySelfSignedServerCertificate, trustedRootCertificates != nil {
            throw .invalid("Cannot specify root certs in self signed mode")
        }
        try validateAuthenticator()
        try validateHeaders()
        try proxy?.validate()
    }

    /// The values are not repeated: they may be secrets.
    private func validateHeaders() throws(ReplicationError) {
        for (name, value) in headers ?? [:] where !HeaderSyntax.isValid(name: name, value: value) {
            throw .invalid(
                "The header '\(HeaderSyntax.shown(name))' cannot be sent. "
                    + "Names are letters, digits and hyphens; values have no line breaks.")
        }
        for name in (headers ?? [:]).keys where HeaderSyntax.isOfHandshake(name: name) {
            throw .invalid("The header '\(HeaderSyntax.shown(name))' is set by the connection itself.")
        }
    }

    /// An authenticator of another type would be ignored, and the user's work would be sent as that of the guest.
    private func validateAuthenticator() throws(ReplicationError) {
        guard let authenticator, !(authenticator is BasicAuthenticator) else { return }
        guard let session = authenticator as? SessionAuthenticator else {
            throw .invalid("Authenticators of the type \(type(of: authenticator)) are not supported.")
        }
        guard HeaderSyntax.isValid(name: session.cookieName, value: session.sessionID),
            !session.sessionID.utf8.contains(UInt8(ascii: ";"))
        else {
            throw .invalid("The session's id or its cookie's name cannot be sent: it holds a character that ends it.")
        }
    }

    private static func validate(_ seconds: TimeInterval, of name: String) throws(ReplicationError) {
        guard !(seconds < 0) else { throw .invalid("Attempt to store negative value in \(name)") }
        guard seconds.isFinite else { throw .invalid("\(name) must be a finite number of seconds.") }
    }

    private func validate(_ endpoint: DatabaseEndpoint) throws(ReplicationError) {
        guard let own = database else { return }
        guard endpoint.database !== own, endpoint.database.path == nil || !endpoint.database.path.isExactly(own.path)
        else {
            throw .invalid("A database cannot be replicated with itself.")
        }
        guard collections.allSatisfy({ $0.channels?.isEmpty != false }) else {
            throw .invalid("Channels belong to gateways; a database has none.")
        }
    }

    var trust: BLIPClientConfiguration.TLSTrust {
        if let pinned = pinnedServerCertificate { return .pinned(certificate: Array(pinned.data)) }
        if acceptOnlySelfSignedServerCertificate { return .selfSignedOnly }
        return trustedRootCertificates.map { .authorities(certificates: $0.map { Array($0.data) }) } ?? .system
    }
}
