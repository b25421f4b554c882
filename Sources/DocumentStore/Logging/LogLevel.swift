/// How much a message matters; each level includes those after it.
public enum LogLevel: UInt8, Sendable, Comparable, CaseIterable {
    /// For developers of the library.
    case debug = 0
    /// Each message and each step, checkpoints among them.
    case verbose
    /// Events: connections, retries, conflicts, databases that are opened and closed.
    case info
    /// Something went wrong and the work goes on; the default of the console.
    case warning
    /// Something failed.
    case error
    /// Of sinks: nothing is written.
    case none

    /// By how much they matter.
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// The subject of a message.
public enum LogDomain: UInt16, Sendable, CaseIterable {
    /// Opening and closing, collections, maintenance, listeners.
    case database = 1
    /// Queries.
    case query = 2
    /// Documents in replications.
    case replicator = 4
    /// Connections: DNS, TLS, WebSocket, proxies.
    case network = 8
    /// Listeners of peers; never used here.
    case listener = 16
    /// Peers nearby; never used here.
    case peerDiscovery = 32
    /// Peers nearby; never used here.
    case mdns = 64
    /// Peers nearby; never used here.
    case multipeer = 512

    /// The name in log lines.
    var title: String {
        switch self {
        case .database: "Database"
        case .query: "Query"
        case .replicator: "Replicator"
        case .network: "Network"
        case .listener: "Listener"
        case .peerDiscovery: "PeerDiscovery"
        case .mdns: "mDNS"
        case .multipeer: "Multipeer"
        }
    }
}

/// Several domains.
public struct LogDomains: OptionSet, Sendable {
    /// A bit for each domain.
    public let rawValue: Int

    /// A bit for each domain.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Opening and closing, collections, maintenance, listeners.
    public static let database = LogDomains(.database)
    /// Queries.
    public static let query = LogDomains(.query)
    /// Documents in replications.
    public static let replicator = LogDomains(.replicator)
    /// Connections: DNS, TLS, WebSocket, proxies.
    public static let network = LogDomains(.network)
    /// Listeners of peers; never used here.
    public static let listener = LogDomains(.listener)
    /// Peers nearby; never used here.
    public static let peerDiscovery = LogDomains(.peerDiscovery)
    /// Peers nearby; never used here.
    public static let mdns = LogDomains(.mdns)
    /// Peers nearby; never used here.
    public static let multipeer = LogDomains(.multipeer)
    /// All of them.
    public static let all = LogDomains(rawValue: LogDomain.allCases.reduce(0) { $0 | Int($1.rawValue) })

    init(_ domain: LogDomain) { self.init(rawValue: Int(domain.rawValue)) }
}
