/// How much a message matters; each level includes those after it.
public enum LogLevel: UInt8, Sendable, Comparable, CaseIterable {
    case debug = 0
    case verbose
    case info
    case warning
    case error
    /// Of sinks: nothing is written.
    case none

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// What a message is about.
public enum LogDomain: UInt16, Sendable, CaseIterable {
    case database = 1
    case query = 2
    case replicator = 4
    case network = 8
    case listener = 16
    case peerDiscovery = 32
    case mdns = 64
    case multipeer = 512

    /// As it is in the lines that are written.
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
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let database = LogDomains(.database)
    public static let query = LogDomains(.query)
    public static let replicator = LogDomains(.replicator)
    public static let network = LogDomains(.network)
    public static let listener = LogDomains(.listener)
    public static let peerDiscovery = LogDomains(.peerDiscovery)
    public static let mdns = LogDomains(.mdns)
    public static let multipeer = LogDomains(.multipeer)
    public static let all = LogDomains(rawValue: LogDomain.allCases.reduce(0) { $0 | Int($1.rawValue) })

    init(_ domain: LogDomain) { self.init(rawValue: Int(domain.rawValue)) }
}
