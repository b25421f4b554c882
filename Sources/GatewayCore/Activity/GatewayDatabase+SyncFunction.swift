import SyncFunction

/// Sync functions, asked and counted.
extension GatewayDatabase {
    /// The default function is nobody's own and not counted, as with Sync Gateway.
    func ask(
        _ collection: DatabaseSetup.Collection, _ calls: [SyncFunctionCall]
    ) async throws -> [SyncFunctionOutcome] {
        guard collection.functionText != nil else { return try await environment.syncFunctions.run(calls) }
        let start = ContinuousClock.now
        let outcomes = try await environment.syncFunctions.run(calls)
        let time = start.duration(to: .now)
        activity.add(to: collection.name) { $0.function.add(outcomes, time: time) }
        return outcomes
    }
}
