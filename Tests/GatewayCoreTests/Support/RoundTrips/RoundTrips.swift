import Synchronization

/// Calls of rows, as though each were a round trip to a server: the task lets go of its thread each time.
final class RoundTrips: Sendable {
    private let calls = Mutex<[String]>([])

    func go(_ call: String) async {
        calls.withLock { $0.append(call) }
        await Task.yield()
    }

    /// What was called since the last time.
    func take() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }
}
