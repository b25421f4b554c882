import DocumentValues

/// What requests say: their JSON, and messages of the replication protocol.
extension GatewayError {
    /// In a document, a configuration, or a list of them.
    package static func badJSON(_ problem: String) -> GatewayError { GatewayError(400, reason: "Bad JSON: \(problem)") }
    /// In a request about a feed, a user, or the log.
    package static func invalidJSON(_ problem: String) -> GatewayError {
        GatewayError(400, reason: "Invalid JSON: \"\(problem)\"")
    }
    package static func unknownMember(_ name: String) -> GatewayError {
        GatewayError(400, reason: "JSON Unknown Field: json: unknown field \"\(name)\": unrecognized JSON field")
    }
}
