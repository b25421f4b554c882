import GatewayCore
import ServiceLifecycle

/// How long a reader of a feed that goes on may stay: until the authorization is revoked, the database changes, or the gateway
/// stops.
struct ReaderStay: Sendable {
    enum End<Value: Sendable>: Sendable {
        /// The feed has ended by itself.
        case finished(Value)
        case revoked(SessionRevocation)
        case shutdown
    }

    /// `nil` for a route that asks for none.
    let authorization: RequestAuthorization?

    /// Runs the delivery, and cancels it when the reader has to go, also while it waits for the client to read.
    func run<Value: Sendable>(_ deliver: () async throws -> Value) async throws -> End<Value> {
        try await withoutActuallyEscaping(deliver) { deliver in
            // The child tasks end before this function returns, so one task at a time uses the writer.
            nonisolated(unsafe) let deliver = deliver
            return try await withThrowingTaskGroup(of: End<Value>.self) { group in
                defer { group.cancelAll() }
                group.addTask { .finished(try await deliver()) }
                if let authorization {
                    group.addTask { .revoked(try await authorization.waitForEnd()) }
                }
                group.addTask {
                    try await gracefulShutdown()
                    return .shutdown
                }
                guard let end = try await group.next() else { throw CancellationError() }
                return end
            }
        }
    }
}
