extension Query {
    /// The calls that wait for the disk, for asynchronous code; see ``Database/async-swift.property``.
    public var async: AsyncCalls { AsyncCalls(query: self) }

    /// The calls of a query that block none of Swift's threads.
    public struct AsyncCalls: Sendable {
        fileprivate let query: Query

        /// Runs the query as ``Query/execute()`` does; ``ResultSet/rows`` has its rows.
        ///
        /// A result is open until its last row is read, or until it is let go, and at most 64 of a database are open at once.
        /// Any number of tasks may call this: without room for another result it waits for its turn, without blocking a
        /// thread. The time of the wait does not count for ``Query/timeLimit``.
        ///
        /// While a task reads a result, it may run other queries, up to six inside each other: some of the 64 are only for
        /// tasks that have a result open. But let no task wait for other tasks, such as those of a task group, with a result
        /// open: 32 of these could wait for each other. If no result was read or let go for ten seconds while queries wait,
        /// these throw `.busy`.
        ///
        /// - Throws: the errors of ``Query/execute()``, but `.busy` only where the wait might never end, as described above;
        ///   `.notOpen` where the database is closed during the wait; `CancellationError` where the task is cancelled before
        ///   the first rows are there, also during the wait.
        public func execute() async throws -> ResultSet {
            let core = try query.database().core()
            let turn = try await core.results.turns.turn()
            let reader = try await core.calls.read { try query.begin(core, turn: turn) }
            return try await withTaskCancellationHandler {
                try await core.calls.read { try query.results(of: reader) }
            } onCancel: {
                reader.interrupt()
            }
        }

        /// As ``Query/explain()``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func explain() async throws -> String {
            try await query.database().core().calls.read { try query.explain() }
        }
    }
}

extension Database.AsyncCalls {
    /// As ``Database/createQuery(_:)``, which looks for collections and indexes in the database.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func createQuery(_ query: String) async throws -> Query {
        try await database.core().calls.read { try database.createQuery(query) }
    }
}
