import GatewayCore

/// How long a client waits for news.
struct FeedTimeout {
    private let deadline: ContinuousClock.Instant?
    private let heartbeat: Duration?

    init(_ parameters: ChangesParameters) {
        deadline = parameters.timeout.map { ContinuousClock.now + $0 }
        heartbeat = parameters.heartbeat
    }

    /// True when there may be news, false when the time is over.
    func waits(for feed: ChangesFeed, heartbeat beat: () async throws -> Void) async throws -> Bool {
        while true {
            let now = ContinuousClock.now
            let step = [deadline.map { $0 - now }, heartbeat].compactMap { $0 }.min()
            if let step, step <= .zero { return false }
            if try await Self.hasNews(feed, within: step) { return true }
            if let deadline, ContinuousClock.now >= deadline { return false }
            try await beat()
        }
    }

    /// False when none has come in time; `nil` waits for ever.
    private static func hasNews(_ feed: ChangesFeed, within limit: Duration?) async throws -> Bool {
        guard let limit else {
            try await feed.waitForChanges()
            return true
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await feed.waitForChanges()
                return true
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return false
            }
            return try await group.next() ?? false
        }
    }
}
