extension Query {
    /// The calls that wait for the disk, for asynchronous code; see ``Database/async``.
    public var async: AsyncCalls { AsyncCalls(query: self) }

    /// The calls of a query that block none of Swift's threads.
    public struct AsyncCalls: Sendable {
        fileprivate let query: Query

        /// Runs the query as ``Query/execute()`` does; ``ResultSet/rows`` has its rows.
        ///
        /// - Throws: the errors of ``Query/execute()``; `CancellationError` where the task is cancelled before the first rows
        ///   are there.
        public func execute() async throws -> ResultSet {
            let core = try query.database().core()
            let reader = try await core.calls.read { try query.begin(core) }
            return try await withTaskCancellationHandler {
                try await core.calls.read { try query.results(of: reader) }
            } onCancel: {
                reader.interrupt()
            }
        }
    }
}
