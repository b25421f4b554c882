import DocumentValues
import Foundation

/// A small list beside a database that is worth keeping over a restart, and not worth a transaction each time that
/// it grows: a JSON array of objects, which its owner alone may read.
struct KeptFile: Sendable {
    private let url: URL

    init(folder: String, name: String) { url = URL(fileURLWithPath: folder).appendingPathComponent(name) }

    /// The last ones of the file; nothing where there is none, or where it cannot be read.
    func objects(atMost limit: Int) -> [JSONObject] {
        guard let data = try? Data(contentsOf: url) else { return [] }
        return Self.objects(in: Array(data), atMost: limit)
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
