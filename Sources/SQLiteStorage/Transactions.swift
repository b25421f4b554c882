import GRDB

/// Transactions that return a result.
extension GRDB.Database {
    /// One that writes: it takes the lock for writing at its beginning, so that it cannot fail for lack of it later.
    package func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(.immediate, body: body)
    }

    /// One that reads: all statements in it see the same state.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(.deferred, body: body)
    }

    /// A part of a transaction, which is undone as a whole when it fails, while the transaction goes on.
    package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        var result: Result?
        try inSavepoint {
            result = try body()
            return .commit
        }
        return result!
    }

    private func transaction<Result>(
        _ kind: TransactionKind, body: () throws -> Result
    ) throws -> Result {
        var result: Result?
        try inTransaction(kind) {
            result = try body()
            return .commit
        }
        return result!
    }
}
