import DocumentStore
import DocumentValues
import Foundation

/// A folder of its own for each test, removed with it.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var configuration: DatabaseConfiguration {
        var configuration = DatabaseConfiguration()
        configuration.directory = url.path
        return configuration
    }

    func open(_ name: String = "test") throws -> Database { try Database(name: name, config: configuration) }

    func databaseFolder(_ name: String = "test") -> URL { url.appendingPathComponent("\(name).fieldbook") }

    /// Every file below the folder.
    var files: [URL] {
        let names = FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? []
        return names.map { url.appendingPathComponent($0) }.filter { !$0.hasDirectoryPath }
    }

    /// Whole blobs.
    var blobFiles: [URL] {
        files.filter { file in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else { return false }
            return file.path.contains("/attachments/") && !file.path.contains("/incoming/") && !isFolder.boolValue
        }
    }

    /// The files that contain these bytes.
    func files(containing needle: [UInt8]) -> [String] {
        files.filter { (try? Data(contentsOf: $0))?.range(of: Data(needle)) != nil }.map(\.lastPathComponent)
    }
}

extension Collection {
    /// Saves members under an id and returns the document.
    @discardableResult
    func put(_ id: String, _ members: [String: Any]) throws -> MutableDocument {
        let document = try document(id: id)?.toMutable() ?? MutableDocument(id: id)
        document.setData(members)
        try save(document: document)
        return document
    }
}

/// A value that arrives later; tests wait for it with a time limit instead of sleeping.
final class Arrivals<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ value: Value) { continuation.yield(value) }

    /// Collects arrivals until `isEnough` says so.
    func collect(
        within limit: Duration = .seconds(20), until isEnough: @escaping @Sendable ([Value]) -> Bool
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: [Value].self) { group in
            group.addTask { [stream] in
                var values: [Value] = []
                for await value in stream {
                    values.append(value)
                    if isEnough(values) { break }
                }
                return values
            }
            group.addTask {
                try await Task.sleep(for: limit)
                throw TimeLimit()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    func first(within limit: Duration = .seconds(20)) async throws -> Value? {
        try await collect(within: limit) { !$0.isEmpty }.first
    }

    struct TimeLimit: Error {}
}

/// Whether an error is one of the store's with this code.
func isCode(_ code: StoreError.Code) -> (any Error) -> Bool { { ($0 as? StoreError)?.code == code } }
