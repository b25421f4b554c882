import Synchronization

/// Counts calls of rows as if each were a round trip to a server: the task gives up its thread each time.
final class RoundTrips: Sendable {
    private let calls = Mutex<[String]>([])

    func go(_ call: String) async {
        calls.withLock { $0.append(call) }
        await Task.yield()
    }

    /// The calls since the last time.
    func take() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }
}
