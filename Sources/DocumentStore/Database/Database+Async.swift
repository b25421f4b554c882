extension Database {
    /// The calls that wait for the disk or for another writer, for asynchronous code.
    ///
    /// ```swift
    /// try await database.async.inBatch { try notes.save(document: note) }
    /// ```
    ///
    /// They do the same as those of the database itself, on threads of its own: a call that waited on one of Swift's would
    /// keep all tasks from it, and there are as many of those as the machine has cores. They are behind a name, as what `lazy`
    /// has is: of two functions with one name Swift takes the asynchronous one in every `async` function, so that
    /// `try collection.save(document: note)` would compile there no more. Collections and queries have the same:
    /// ``Collection/async``, ``Query/async``.
    ///
    /// A call whose task is cancelled before it begins throws `CancellationError`; one that writes and has begun goes on to its
    /// end.
    public var async: AsyncCalls { AsyncCalls(database: self) }

    /// The calls of a database that block none of Swift's threads.
    public struct AsyncCalls: Sendable {
        fileprivate let database: Database

        /// Runs `block` as one transaction, as ``Database/inBatch(using:)`` does: all that it saves is stored, or nothing where
        /// it throws. What is called in it are the plain calls: it is one piece of work on one thread.
        ///
        /// - Returns: what `block` returns.
        @discardableResult
        public func inBatch<Value: Sendable>(
            using block: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            try await database.core().calls.write { try database.batch(block) }
        }

        /// As ``Database/performMaintenance(type:)``.
        public func performMaintenance(type: MaintenanceType) async throws {
            try await database.core().calls.write { try database.performMaintenance(type: type) }
        }

        /// As ``Database/close()``.
        public func close() async throws {
            // Closing once more does nothing, here as there.
            guard database.path != nil else { return }
            try await database.core().calls.write { try database.close() }
        }
    }
}
