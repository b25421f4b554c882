import Dispatch
import Synchronization

/// The queues on which asynchronous calls wait for the disk or for another writer. Swift has only as many threads for tasks
/// as the machine has cores: a call that waited on one of them would block it for all tasks.
struct CallQueues: Sendable {
    /// Serial, as writes are anyway: of the calls that wait, only one needs a thread.
    private let writing = DispatchQueue(label: "fieldbook.database.calls.writing")
    private let reading = DispatchQueue(label: "fieldbook.database.calls.reading", attributes: .concurrent)

    func write<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: writing, body: body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: reading, body: body)
    }

    /// - Throws: `CancellationError` where the caller was cancelled before the call began; a call that has begun goes
    ///   on to its end.
    private func run<Value: Sendable>(
        on queue: DispatchQueue, body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let cancellation = CallCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Swift.Result {
                            try cancellation.check()
                            return try body()
                        })
                }
            }
        } onCancel: {
            cancellation.note()
        }
    }
}

/// Whether the caller was cancelled while its call waited for its turn, when no task is asked for it.
private final class CallCancellation: Sendable {
    private let isNoted = Atomic(false)

    func note() { isNoted.store(true, ordering: .releasing) }

    func check() throws { if isNoted.load(ordering: .acquiring) { throw CancellationError() } }
}
