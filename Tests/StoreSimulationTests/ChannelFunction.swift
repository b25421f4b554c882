import DocumentValues
import SyncFunction

/// What a sync function would do that is `channel(doc.c); requireAccess(doc.c)`.
struct ChannelFunction: SyncFunctionRunning {
    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] { try calls.map(outcome) }

    func problem(with function: SyncFunctionSource) async throws -> String? { nil }

    private func outcome(_ call: SyncFunctionCall) throws -> SyncFunctionOutcome {
        guard let channel = try JSONObject(parsing: call.document)["c"]?.stringValue.map({ Name($0) }) else {
            return SyncFunctionOutcome()
        }
        if let user = call.user, !user.channels.contains(channel) {
            return SyncFunctionOutcome(
                rejection: SyncFunctionOutcome.Rejection(status: 403, reason: "sg missing channel access"))
        }
        return SyncFunctionOutcome(channels: [channel])
    }
}
