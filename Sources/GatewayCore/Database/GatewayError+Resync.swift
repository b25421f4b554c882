extension GatewayError {
    static let resyncRuns = GatewayError(503, reason: "Database _resync is already in progress")
}
