/// Indexes, for asynchronous code.
extension Collection.AsyncCalls {
    /// As ``Collection/indexes()``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func indexes() async throws -> [String] { try await read { try $0.indexes() } }

    /// As ``Collection/index(withName:)``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func index(withName name: String) async throws -> QueryIndex? {
        try await read { try $0.index(withName: name) }
    }

    /// As ``Collection/createIndex(withName:config:)``, which reads all documents.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func createIndex(withName name: String, config: any IndexConfiguration) async throws {
        try await write { try $0.createIndex(withName: name, config: config) }
    }

    /// As ``Collection/createIndex(_:name:)``, which reads all documents.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func createIndex(_ index: any Index, name: String) async throws {
        try await write { try $0.createIndex(index, name: name) }
    }

    /// As ``Collection/deleteIndex(forName:)``.
    ///
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func deleteIndex(forName name: String) async throws { try await write { try $0.deleteIndex(forName: name) } }
}
