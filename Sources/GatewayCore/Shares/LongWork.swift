import Dispatch
import DocumentValues
import NIOCore

/// Work that keeps a thread busy for tenths of a second, such as computing the digest of a large document: on threads of its
/// own, in turns over the accounts. All requests share one thread for each core, and at least one core is left for them.
final class LongWork: Sendable {
    private let line: MemoryLine

    /// - Parameter threads: how many work at the same time.
    init(threads: Int = max(1, System.coreCount - 1)) { line = MemoryLine(total: threads) }

    func run<Value: Sendable>(
        of account: Name, _ body: @Sendable @escaping () throws -> Value
    ) async throws -> Value {
        await line.begin(1, of: account)
        defer { line.end(1, of: account) }
        return try await withCheckedThrowingContinuation { continuation in
            // A serial queue gets a thread of its own; a concurrent one would share those of tasks.
            DispatchQueue(label: "gateway.long-work", qos: .userInitiated).async {
                continuation.resume(with: Result { try body() })
            }
        }
    }
}
