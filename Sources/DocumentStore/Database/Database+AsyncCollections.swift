/// Collections and blobs, for asynchronous code.
extension Database.AsyncCalls {
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await database.core().calls.read { try body(database) }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await database.core().calls.write { try body(database) }
    }

    /// As ``Database/defaultCollection()``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func defaultCollection() async throws -> Collection { try await read { try $0.defaultCollection() } }

    /// As ``Database/collections(scope:)``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func collections(scope: String? = Database.defaultScopeName) async throws -> [Collection] {
        try await read { try $0.collections(scope: scope) }
    }

    /// As ``Database/collection(name:scope:)``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func collection(name: String, scope: String? = Database.defaultScopeName) async throws -> Collection? {
        try await read { try $0.collection(name: name, scope: scope) }
    }

    /// As ``Database/createCollection(name:scope:)``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func createCollection(
        name: String, scope: String? = Database.defaultScopeName
    ) async throws -> Collection {
        try await write { try $0.createCollection(name: name, scope: scope) }
    }

    /// As ``Database/deleteCollection(name:scope:)``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func deleteCollection(name: String, scope: String? = Database.defaultScopeName) async throws {
        try await write { try $0.deleteCollection(name: name, scope: scope) }
    }

    /// As ``Database/saveBlob(blob:)``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func saveBlob(blob: Blob) async throws { try await write { try $0.saveBlob(blob: blob) } }
}
