import DocumentValues
import Foundation

/// Writes a database's documents into a folder: a file a collection as JSON lines, CSV or both, and the attachments
/// beside them under names that a person can read.
package struct DatabaseExport {
    package enum Format: String, Sendable, CaseIterable { case csv, jsonl, both }

    package struct Line: Sendable, Hashable {
        package let collection: String
        package let documents: Int
        package let attachments: Int
    }

    private static let page = 500

    private let client: AdminClient
    private let database: String
    private let folder: URL
    private let format: Format
    private let hasAttachments: Bool

    package init(client: AdminClient, database: String, folder: String, format: Format, hasAttachments: Bool) {
        self.client = client
        self.database = database
        self.folder = URL(fileURLWithPath: folder)
        self.format = format
        self.hasAttachments = hasAttachments
    }

    /// - Parameter chosen: `scope.collection`; all when empty.
    package func run(collections chosen: [String]) async throws -> [Line] {
        let all = try await collections()
        if let unknown = chosen.first(where: { name in !all.contains { $0.isExactly(name) } }) {
            throw AdminError(
                .refused(404), "'\(database)' has no collection '\(unknown)'",
                hint: "It has \(all.joined(separator: ", "))")
        }
        try ExportFolder(url: folder).make()
        var lines: [Line] = []
        for collection in chosen.isEmpty ? all : chosen { lines.append(try await export(collection)) }
        return lines
    }

    private func collections() async throws -> [String] {
        let configuration = try JSONObject(parsing: try await client.send(.get, "/\(database)/_config"))
        guard let scopes = configuration["scopes"]?.objectValue, !scopes.isEmpty else {
            return ["\(CollectionName.default)"]
        }
        return scopes.flatMap { scope in
            (scope.value["collections"]?.objectValue?.keys ?? []).map { "\(scope.key).\($0)" }
        }
    }

    // MARK: - One collection

    private func export(_ collection: String) async throws -> Line {
        let lines = try LineFile(folder.appendingPathComponent("\(collection).jsonl"))
        var table = TableColumns()
        var attachments = 0
        var folders = ExportNames()
        try await forEachDocument(in: collection) { id, document in
            try lines.append(document)
            guard let object = try? JSONObject(parsing: document) else { return }
            table.add(object)
            guard hasAttachments, object["_attachments"]?.objectValue?.isEmpty == false else { return }
            let place = folder.appendingPathComponent("attachments/\(collection)/\(folders.name(for: id))")
            attachments += try await saveAttachments(of: object, id, collection, in: place)
        }
        try lines.close()
        if format != .jsonl {
            try table.write(lines: lines.file, to: folder.appendingPathComponent("\(collection).csv"))
        }
        if format == .csv { try FileManager.default.removeItem(at: lines.file) }
        return Line(collection: collection, documents: lines.count, attachments: attachments)
    }

    /// Page by page, in the order of the ids.
    private func forEachDocument(
        in collection: String, _ body: (String, [UInt8]) async throws -> Void
    ) async throws {
        var next: String?
        while true {
            let start = next.map { "&startkey=\(AdminPath.escaped(JSONValue.string($0).description))" } ?? ""
            let path = "/\(database).\(collection)/_all_docs?include_docs=true&limit=\(Self.page)\(start)"
            let answer = try JSONObject(
                parsing: try await client.send(.get, path), depth: JSONLimits.answerDepth)
            let rows = answer["rows"]?.arrayValue ?? []
            for row in rows {
                guard let id = row["id"]?.stringValue, let document = row["doc"] else { continue }
                try await body(id, document.bytes)
            }
            guard rows.count == Self.page, let last = rows.last?["id"]?.stringValue else { return }
            next = last + "\u{0}"
        }
    }

    private func saveAttachments(
        of document: JSONObject, _ id: String, _ collection: String, in place: URL
    ) async throws -> Int {
        var count = 0
        var names = ExportNames()
        for member in document["_attachments"]?.objectValue ?? [:] {
            let path = "/\(database).\(collection)/\(AdminPath.escaped(id))/\(AdminPath.escaped(member.key))"
            let file = place.appendingPathComponent(
                names.name(for: member.key, type: member.value["content_type"]?.stringValue))
            let bytes = try await client.send(.get, path)
            try ExportFolder.make(place)
            let output = try ExportFolder.newFile(file)
            do {
                try output.write(contentsOf: bytes)
                try output.close()
            } catch {
                throw AdminError(.file, "\(file.path) cannot be written: \(error.localizedDescription)")
            }
            count += 1
        }
        return count
    }
}

/// A file that grows by lines.
private final class LineFile {
    let file: URL
    private(set) var count = 0
    private let handle: FileHandle

    init(_ file: URL) throws {
        self.file = file
        handle = try ExportFolder.newFile(file)
    }

    func append(_ line: [UInt8]) throws {
        do {
            try handle.write(contentsOf: line + [UInt8(ascii: "\n")])
        } catch {
            throw AdminError(.file, "\(file.path) cannot be written: \(error.localizedDescription)")
        }
        count += 1
    }

    func close() throws { try handle.close() }
}
