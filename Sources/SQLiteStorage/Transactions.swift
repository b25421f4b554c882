import GRDB

/// Transactions that return what was made in them.
extension GRDB.Database {
    /// One that writes: it has the lock for writing from the beginning, so that it cannot fail for it later.
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
