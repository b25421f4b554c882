import Dispatch

/// Where asynchronous calls do what waits for the disk or for another writer. Swift's own threads are as few as the machine has
/// cores: each that waits is missed by everybody.
struct CallQueues: Sendable {
    /// One after the other, as the database takes them: of those that wait, one has a thread.
    private let writing = DispatchQueue(label: "fieldbook.database.calls.writing")
    private let reading = DispatchQueue(label: "fieldbook.database.calls.reading", attributes: .concurrent)

    func write<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: writing, body: body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: reading, body: body)
    }

    /// - Throws: `CancellationError` where the caller was cancelled before; what has begun goes on to its end.
    private func run<Value: Sendable>(
        on queue: DispatchQueue, body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
