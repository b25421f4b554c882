extension ResultSet {
    /// The rows that are left, for asynchronous code.
    ///
    /// ```swift
    /// for try await row in results.rows { print(row.toJSON()) }
    /// ```
    ///
    /// They are read while they are asked for, as those of the results themselves, on threads of the database's own: the loop
    /// blocks none of Swift's. If they end before the last one, the error is thrown; a loop over the results themselves
    /// leaves it in ``error``. A cancelled task gets `CancellationError`, also while SQLite looks for the next row; the
    /// results have no more rows then.
    public var rows: Rows { Rows(results: self) }

    /// Rows of a query as an asynchronous sequence, which can be gone through once.
    public struct Rows: AsyncSequence, Sendable {
        fileprivate let results: ResultSet

        /// Begins where the results are.
        public func makeAsyncIterator() -> AsyncIterator {
            results.noteUse()
            return AsyncIterator(results: results)
        }

        /// Decodes all remaining rows, as ``ResultSet/data(as:dataKey:)`` does.
        ///
        /// - Parameter isolation: the caller's, where the values are made.
        /// - Throws: its errors, and `CancellationError` in a cancelled task.
        public func data<T: Decodable>(
            as type: T.Type, dataKey: String? = nil, isolation: isolated (any Actor)? = #isolation
        ) async throws -> [T] {
            try await results.data(as: type, dataKey: dataKey, isolation: isolation)
        }

        /// All remaining rows, in memory.
        ///
        /// - Throws: the errors of ``AsyncIterator/next()``.
        public func readAll() async throws -> [Result] { try await reduce(into: []) { $0.append($1) } }

        /// Goes on through the results; copies of it share them.
        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            fileprivate let results: ResultSet

            /// The next row; `nil` at the end.
            ///
            /// - Throws: ``StoreError``: `.timedOut` after ``Query/timeLimit``, `.notOpen` if the database is closed before the
            ///   last row, `.corruptData` for a row that cannot be read, `.unsupported` in a second loop over the same results;
            ///   `CancellationError` in a cancelled task.
            public mutating func next() async throws -> Result? { try await results.nextRow() }
        }
    }
}
