extension GatewayError {
    static let resyncRuns = GatewayError.resyncRunsAlready
}
