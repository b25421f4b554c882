extension Database {
    /// The calls for databases that are not open, for asynchronous code; see ``Database/async-swift.property``.
    ///
    /// ```swift
    /// let database = try await Database.async.open(name: "journal")
    /// ```
    public static var async: AsyncFileCalls { AsyncFileCalls() }

    /// The calls of the type ``Database`` that block none of Swift's threads.
    public struct AsyncFileCalls: Sendable {
        private static let calls = CallQueues()

        /// As ``Database/init(name:config:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func open(
            name: String, config: DatabaseConfiguration = DatabaseConfiguration()
        ) async throws -> Database {
            try await run { try Database(name: name, config: config) }
        }

        /// As ``Database/open(folder:config:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func open(
            folder: String, config: DatabaseConfiguration = DatabaseConfiguration()
        ) async throws -> Database {
            try await run { try Database.open(folder: folder, config: config) }
        }

        /// As ``Database/copy(fromPath:toDatabase:withConfig:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins; a copy that has begun
        ///   goes on to its end.
        public func copy(
            fromPath path: String, toDatabase name: String, withConfig config: DatabaseConfiguration?
        ) async throws {
            try await run { try Database.copy(fromPath: path, toDatabase: name, withConfig: config) }
        }

        /// As ``Database/delete(withName:inDirectory:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func delete(withName name: String, inDirectory directory: String? = nil) async throws {
            try await run { try Database.delete(withName: name, inDirectory: directory) }
        }

        /// Side by side, since they are about different folders.
        private func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
            try await Self.calls.read(body)
        }
    }
}
