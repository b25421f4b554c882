/// The name of a single value of a gateway database.
struct StoreProperty: Sendable {
    let name: String

    /// The engine's own: the last sequence that was taken.
    static let lastSequence = Self(name: "last_sequence")
    /// This and the next two are written by `setConfiguration` alone.
    static let configuration = Self(name: "configuration")
    static let configurationVersion = Self(name: "configuration_version")
    static let configurationTimes = Self(name: "configuration_times")
    static let sessionKey = Self(name: "session_key")
}

/// Single values of a gateway database, one for each name.
protocol PropertyRows {
    /// `nil` where there is none; bytes come back as they were set, also none and zeros.
    func bytes(_ property: StoreProperty) async throws -> [UInt8]?

    /// 0 where there is none. A value that is no number is `GatewayError.damaged`, since a sequence would begin at 1 again.
    func number(_ property: StoreProperty) async throws -> UInt64
}

/// Writes single values.
protocol PropertyWrites {
    /// Inserts or replaces it.
    func set(_ property: StoreProperty, to value: [UInt8]) async throws

    /// Inserts or replaces it, up to the highest `UInt64`.
    func set(_ property: StoreProperty, to value: UInt64) async throws
}
