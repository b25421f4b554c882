/// How the connection is closed after a failure of the whole replication (§1.10).
struct ClosingRule {
    var code: UInt16
    var reason: String

    static let normal = ClosingRule(code: 1000, reason: "")

    init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// `nil` for failures that end the request's part of the work but not the connection.
    init?(_ failure: SyncFailure) {
        switch (failure.domain, failure.code) {
        case (.http, 400): self.init(code: 4002, reason: "Unrecognized collection")
        case (.http, 403): self.init(code: 4002, reason: "An attempt was made to perform an unauthorized action")
        case (.http, 503): self.init(code: 4001, reason: "The server is over capacity")
        case (.liteCore, SyncFailure.remoteErrorCode): self.init(code: 4002, reason: "Unexpected error from remote")
        case (.posix, SyncFailure.noSpaceLeft): self.init(code: 4002, reason: "The disk is full")
        default: return nil
        }
    }
}
