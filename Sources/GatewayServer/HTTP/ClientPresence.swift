import Synchronization

/// Whether the client of a connection is still there to get an answer.
final class ClientPresence: Sendable {
    private enum State {
        /// With the request that has to be notified, if there is one.
        case connected(AsyncStream<Void>.Continuation?)
        case gone
    }

    private let state = Mutex(State.connected(nil))

    /// A stream without elements, which ends when the client is gone. A connection has one request at a time, so there is one
    /// such stream.
    func untilGone() -> AsyncStream<Void> {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let isGone = state.withLock { state in
            if case .gone = state { return true }
            state = .connected(end)
            return false
        }
        if isGone { end.finish() }
        return stream
    }

    func noteGone() {
        let waiting = state.withLock { state -> AsyncStream<Void>.Continuation? in
            guard case .connected(let waiting) = state else { return nil }
            state = .gone
            return waiting
        }
        waiting?.finish()
    }

    /// Runs an operation whose result the client waits for, and cancels it when the client is gone; its result counts in any
    /// case.
    func whileConnected<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await operation() }
            group.addTask { [stream = untilGone()] in
                for await _ in stream {}
                return nil
            }
            while let end = try await group.next() {
                if let value = end { return value }
                group.cancelAll()
            }
            throw CancellationError()
        }
    }
}
