import DocumentValues
import GRDB
import SQLiteStorage

/// Reading with one of the pool's connections, on its thread.
extension SQLiteStore {
    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value {
        try isOpen.check()
        let lent = LentConnection<Database>()
        // From here to `use` nothing may suspend.
        pool.asyncRead { [isOpen] connection in
            switch connection {
            case .success(let db): lent.lend(db)
            case .failure(let error): lent.refuse(with: isOpen.reason(for: error))
            }
        }
        do {
            return try await withTaskCancellationHandler {
                try await lent.use { db in
                    try Task.checkCancellation()
                    return try await body(SQLiteReader(db: db))
                }
            } onCancel: {
                lent.whileLent { $0.interruptStatement() }
            }
        } catch {
            damage.note(error)
            throw error
        }
    }

    func read<Value: Sendable>(
        for account: Name, _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value {
        try await turns.run(of: account) { try await read(body) }
    }
}
