import DocumentQuery
import DocumentValues
import Foundation
import Testing

/// A recorded query with what the reference engine answers.
struct RecordedQuery: Sendable, CustomTestStringConvertible {
    let json: JSONObject

    var id: String { json["id"]?.stringValue ?? "" }
    var text: String? { json["language"] == nil ? json["text"]?.stringValue : nil }
    var isQuirk: Bool { json["quirk"] == true }
    var expectation: JSONObject { json["expect"]?.objectValue ?? [:] }
    var error: JSONValue? { expectation["error"] }
    var columns: [String]? { expectation["columns"]?.arrayValue?.compactMap(\.stringValue) }
    var indexes: [JSONValue] { json["indexes"]?.arrayValue ?? [] }
    var match: String { json["match"]?.stringValue ?? "" }
    var testDescription: String { "\(id): \(text ?? "")" }

    /// Those of the files whose names begin so.
    static func all(_ prefix: String = "") throws -> [RecordedQuery] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "jsonl" && $0.lastPathComponent.hasPrefix(prefix) }
            .filter { $0.lastPathComponent != "dataset.jsonl" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }.flatMap { try lines(of: $0) }
            .map { RecordedQuery(json: $0) }
    }

    private static func lines(of file: URL) throws -> [JSONObject] {
        try Data(contentsOf: file).split(separator: 0x0A).map { try JSONObject(parsing: Array($0)) }
    }

    /// The documents that the queries are of, and collections without any.
    static func dataset() throws -> [JSONObject] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return try lines(of: folder.appendingPathComponent("dataset.jsonl"))
    }

    /// What ours answers to queries that are marked as a quirk: `id`, a tabulator, the answer's description.
    static func answersToQuirks() throws -> [String: String] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let text = try String(contentsOf: folder.appendingPathComponent("quirks.txt"), encoding: .utf8)
        let pairs = text.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1).map(String.init) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }

    /// The document `x` of the collection `one`.
    static func document() throws -> JSONValue {
        try #require(try dataset().first { $0["collection"] == "one" }?["body"])
    }

    /// Runs something in the zone of the recording, which is UTC where it has none.
    func inItsZone<Value>(_ body: () throws -> Value) rethrows -> Value {
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", json["tz"]?.stringValue ?? "UTC", 1)
        tzset()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        return try body()
    }
}

/// The collections of the recordings, without a database.
struct RecordedEnvironment: QueryEnvironment {
    let databaseName = "golden"
    private static let names = [
        "_default._default", "_default.one", "_default.mixed", "field.sites", "field.inspections", "field.findings",
        "_default.notes", "odd.a-b", "_default.order", "_default.kw", "_default.empty",
    ]
    let query: RecordedQuery

    func collection(_ name: CollectionName) -> Int64? {
        Self.names.firstIndex(of: name.description).map { Int64($0 + 1) }
    }

    func collectionNames() throws -> [CollectionName] { try Self.names.map { try CollectionName(parsing: $0) } }

    func fullTextIndex(_ name: String, collection: Int64) -> FullTextTable? {
        for (number, index) in query.indexes.enumerated() where index["type"] == "fulltext" {
            guard index["name"]?.stringValue == name, let owner = index["collection"]?.stringValue else { continue }
            let full = owner.contains(".") ? owner : "_default.\(owner)"
            guard Self.names[Int(collection) - 1] == full else { continue }
            return FullTextTable(
                table: "index_\(number)", settings: WordSettings(language: nil, ignoresAccents: false),
                properties: [])
        }
        return nil
    }

    func arrayIndexes(collection: Int64) -> [ArrayIndexTable] { [] }
    func valueIndexes(collection: Int64) -> [TranslatedValueIndex] { [] }
}
