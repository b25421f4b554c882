import DocumentValues
import Foundation
import Synchronization

/// A small list beside a database that is worth keeping over a restart, and not worth a transaction each time that
/// it grows: a JSON array of objects, which its owner alone may read.
struct KeptFile: Sendable {
    private let url: URL

    init(folder: String, name: String) { url = URL(fileURLWithPath: folder).appendingPathComponent(name) }

    /// The last ones of the file; nothing where there is none, or where its content is damaged.
    ///
    /// - Throws: where there is a file and it cannot be read: it would be replaced by an empty one.
    func objects(atMost limit: Int) throws(GatewayError) -> [JSONObject] {
        do {
            return try FileContent.bytes(url.path).map { Self.objects(in: $0, atMost: limit) } ?? []
        } catch {
            throw GatewayError(500, "\(error)")
        }
    }

    /// What is no object is passed over.
    static func objects(in bytes: [UInt8], atMost limit: Int) -> [JSONObject] {
        ((try? JSONValue(parsing: bytes))?.arrayValue ?? []).suffix(limit).compactMap(\.objectValue)
    }

    func save(_ objects: [JSONObject]) throws {
        try Data(JSONValue.array(objects.map { .object($0) }).bytes).write(to: url, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }
}

/// What such a file holds, in memory. It is written by housekeeping and when the database is closed: what a crash loses of
/// it are some seconds.
final class KeptState<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var isSaved = true
    }

    private let file: KeptFile
    private let state: Mutex<State>

    init(_ value: Value, in file: KeptFile) {
        self.file = file
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    func change(_ body: (inout Value) -> Void) {
        state.withLock { state in
            body(&state.value)
            state.isSaved = false
        }
    }

    /// Writes the file if something has changed since the last time.
    func save(_ objects: (Value) -> [JSONObject]) throws {
        let unsaved: Value? = state.withLock { state in
            defer { state.isSaved = true }
            return state.isSaved ? nil : state.value
        }
        guard let unsaved else { return }
        do { try file.save(objects(unsaved)) } catch {
            state.withLock { $0.isSaved = false }
            throw error
        }
    }
}
