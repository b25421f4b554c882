import GRDB

/// Transactions that return a result, by statements that are prepared once: GRDB prepares its own again for each
/// transaction, which takes as long as it takes to save a document.
extension GRDB.Database {
    /// One that writes: it takes the lock for writing at its beginning, so that it cannot fail for lack of it later.
    package func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try part(from: "BEGIN IMMEDIATE", to: "COMMIT", back: ["ROLLBACK"], body: body)
    }

    /// One that reads: all statements in it see the same state.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try part(from: "BEGIN DEFERRED", to: "COMMIT", back: ["ROLLBACK"], body: body)
    }

    /// A part of a transaction, which is undone as a whole when it fails, while the transaction goes on.
    package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        // Outside of a transaction SQLite would make one of it.
        try checkIsInsideTransaction()
        // To roll back to a savepoint does not end it.
        return try part(
            from: "SAVEPOINT part", to: "RELEASE part", back: ["ROLLBACK TO part", "RELEASE part"], body: body)
    }

    private func part<Result>(
        from beginning: String, to end: String, back: [String], body: () throws -> Result
    ) throws -> Result {
        try RawStatement(beginning, self).run()
        do {
            let result = try body()
            try checkIsInsideTransaction()
            try RawStatement(end, self).run()
            return result
        } catch {
            // This error is the one to throw. Where SQLite has rolled back by itself, there is nothing to undo.
            if isInsideTransaction {
                for statement in back { _ = try? RawStatement(statement, self).run() }
            }
            throw error
        }
    }

    /// - Throws: where SQLite has rolled the transaction back, as it does when the disk is full, and the caller went on: a
    ///   further write would be stored outside of any transaction.
    package func checkIsInsideTransaction() throws {
        guard isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was rolled back")
        }
    }
}
