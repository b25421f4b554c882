extension Database {
    /// The calls that wait for the disk or for another writer, for asynchronous code.
    ///
    /// ```swift
    /// try await database.async.inBatch { try notes.save(document: note) }
    /// ```
    ///
    /// They do the same as those of the database itself, on threads of its own. Swift has only as many threads for tasks as
    /// the machine has cores, and a call that waited on one of them would block it for all tasks. The calls are behind a
    /// name, `async`, as those of `lazy` are. Otherwise `try collection.save(document: note)` would not compile in an `async`
    /// function any more: of two functions with one name Swift takes the asynchronous one there. Collections and queries have
    /// the same: ``Collection/async``, ``Query/async``.
    ///
    /// A call whose task is cancelled before it begins throws `CancellationError`; one that writes and has begun goes on to its
    /// end.
    public var async: AsyncCalls { AsyncCalls(database: self) }

    /// The calls of a database that block none of Swift's threads.
    public struct AsyncCalls: Sendable {
        let database: Database

        /// Runs `block` as one transaction, as ``Database/inBatch(using:)`` does: all that it saves is stored, or nothing
        /// where it throws. The block uses the plain calls, not the asynchronous ones: it runs on one thread from its
        /// beginning to its end.
        ///
        /// - Returns: the result of `block`.
        /// - Throws: the errors of ``Database/inBatch(using:)``, and `CancellationError` if the task is cancelled before
        ///   `block` begins.
        @discardableResult
        public func inBatch<Value: Sendable>(
            using block: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            try await database.core().calls.write { try database.inBatch(using: block) }
        }

        /// As ``Database/performMaintenance(type:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the work begins.
        public func performMaintenance(type: MaintenanceType) async throws {
            let calls = try database.core().calls
            switch type {
            case .integrityCheck:
                // It reads for a long time, in which others may write.
                try await calls.read { try database.performMaintenance(type: type) }
            case .compact, .reindex, .optimize, .fullOptimize:
                try await calls.write { try database.performMaintenance(type: type) }
            }
        }

        /// As ``Database/changeEncryptionKey(_:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the work begins.
        public func changeEncryptionKey(_ key: EncryptionKey?) async throws {
            try await database.core().calls.write { try database.changeEncryptionKey(key) }
        }

        /// As ``Database/close()``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the database is closed.
        public func close() async throws {
            // Closing once more does nothing, as with the plain call.
            guard database.path != nil else { return }
            try await database.core().calls.write { try database.close() }
        }

        /// As ``Database/delete()``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the database is closed.
        public func delete() async throws { try await database.core().calls.write { try database.delete() } }
    }
}
