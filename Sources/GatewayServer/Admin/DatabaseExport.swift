import DocumentValues
import Foundation

/// Writes a database's documents into a folder: a file a collection as JSON lines, CSV or both, and the attachments
/// beside them under the names that the documents give them.
package struct DatabaseExport {
    package enum Format: String, Sendable, CaseIterable { case csv, jsonl, both }

    package struct Line: Sendable, Hashable {
        package let collection: String
        package let documents: Int
        package let attachments: Int
        /// Attachments that were removed from their documents during the export.
        package let gone: Int
        /// Ids of documents that could not be read, since they are damaged at the gateway.
        package let unreadable: [Name]
    }

    private let client: AdminClient
    private let database: String
    private let reader: ExportReader

    package init(client: AdminClient, database: String, selection: ExportSelection = ExportSelection()) {
        self.client = client
        self.database = database
        reader = ExportReader(client: client, database: database, selection: selection)
    }

    /// The database's sequence before any document is read: an export of the changes after it misses nothing. Call it
    /// first.
    ///
    /// Throws an `AdminError` if the selection begins after it, or has a channel that does not exist.
    package func sequence() async throws -> UInt64 {
        try await ExportChannels(client: client, database: database)
            .check(reader.selection.channels, in: try await collections())
        let sequence = try await reader.sequence()
        if let start = reader.selection.startsBehind, start > sequence {
            throw AdminError(
                .refused(400), problem: "The database '\(database)' is at \(sequence), so it has no sequence \(start)",
                hint: "Was it restored from a backup? Then export all of it once more, without --since")
        }
        return sequence
    }

    /// Writes into a new or an empty folder.
    ///
    /// - Parameter chosen: `scope.collection`, each once however often it is named; all when empty.
    package func run(
        collections chosen: [String], into folder: String, _ format: Format, hasAttachments: Bool
    ) async throws -> [Line] {
        let collections = try await collections(chosen)
        let folder = GatewayExportFolder(url: URL(fileURLWithPath: folder))
        try folder.make()
        var lines: [Line] = []
        for collection in collections {
            lines.append(try await export(collection, into: folder.url, format: format, hasAttachments: hasAttachments))
        }
        try folder.finish()
        return lines
    }

    /// The documents of one collection as lines of JSON without line ends, and without attachments.
    ///
    /// - Parameter chosen: the collection; empty where the database has only one.
    /// - Returns: the collection, and the ids of documents that could not be read.
    package func run(
        collections chosen: [String], line: ([UInt8]) throws -> Void
    ) async throws -> (collection: String, unreadable: [Name]) {
        let collections = try await collections(chosen)
        guard collections.count == 1 else {
            throw AdminError(
                .refused(400), problem: "The standard output takes one collection at a time",
                hint: "Name it with --collection: \(collections.joined(separator: ", "))")
        }
        var unreadable: [Name] = []
        try await reader.forEachDocument(in: collections[0]) { id, document in
            guard let document else { return unreadable.append(Name(id)) }
            try line(document.bytes)
        }
        return (collections[0], unreadable)
    }

    private func collections(_ chosen: [String]) async throws -> [String] {
        let all = try await collections()
        if let unknown = chosen.first(where: { name in !all.contains { $0.isExactly(name) } }) {
            throw AdminError(
                .refused(404), problem: "'\(database)' has no collection '\(unknown)'",
                hint: "It has \(all.joined(separator: ", "))")
        }
        return chosen.isEmpty ? all : all.filter { name in chosen.contains { $0.isExactly(name) } }
    }

    private func collections() async throws -> [String] {
        let answer = try await client.send(.get, path: AdminPath.of(database, rest: "_config"))
        let configuration = try JSONObject(parsing: answer)
        guard let scopes = configuration["scopes"]?.objectValue, !scopes.isEmpty else {
            return ["\(CollectionName.default)"]
        }
        return scopes.flatMap { scope in
            (scope.value["collections"]?.objectValue?.keys ?? []).map { "\(scope.key).\($0)" }
        }
    }

    // MARK: - One collection

    private func export(
        _ collection: String, into folder: URL, format: Format, hasAttachments: Bool
    ) async throws -> Line {
        let lines = try LineFile(folder.appendingPathComponent("\(collection).jsonl"))
        var table = TableColumns()
        var (attachments, gone) = (0, 0)
        var folders = ExportNames()
        var unreadable: [Name] = []
        try await reader.forEachDocument(in: collection) { id, document in
            guard let document else { return unreadable.append(Name(id)) }
            try lines.append(document.bytes)
            table.add(document)
            guard hasAttachments, document["_attachments"]?.objectValue?.isEmpty == false else { return }
            let target = folder.appendingPathComponent("attachments/\(collection)/\(folders.name(for: id))")
            let saved = try await saveAttachments(of: document, id, collection: collection, in: target)
            attachments += saved.count
            gone += saved.gone
        }
        try lines.close()
        if format != .jsonl {
            try table.write(lines: lines.file, to: folder.appendingPathComponent("\(collection).csv"))
        }
        if format == .csv { try FileManager.default.removeItem(at: lines.file) }
        return Line(
            collection: collection, documents: lines.count, attachments: attachments, gone: gone, unreadable: unreadable
        )
    }

    private func saveAttachments(
        of document: JSONObject, _ id: String, collection: String, in target: URL
    ) async throws -> (count: Int, gone: Int) {
        var (count, gone) = (0, 0)
        var names = ExportNames()
        var titles = AttachmentTitles(in: document)
        for member in document["_attachments"]?.objectValue ?? [:] {
            let path = AdminPath.keyspace(collection, of: database) + "/" + AdminPath.escaped(id)
            let digest = member.value["digest"]?.stringValue
            let file = target.appendingPathComponent(
                names.name(
                    for: digest.flatMap { titles.take($0) } ?? member.key,
                    type: member.value["content_type"]?.stringValue))
            guard let bytes = try await attachment(of: path, name: member.key, digest: digest) else {
                gone += 1
                continue
            }
            try GatewayExportFolder.make(target)
            let output = try GatewayExportFolder.newFile(file)
            do {
                try output.write(contentsOf: bytes)
                try output.close()
            } catch {
                throw AdminError(.file, problem: "\(file.path) cannot be written: \(error.localizedDescription)")
            }
            count += 1
        }
        return (count, gone)
    }

    /// Reads the attachment by its digest, so that the gateway does not read the document for each of its attachments, and
    /// the name may be longer than a request. If the attachment has changed since, it is read by its name; `nil` if it was
    /// removed.
    func attachment(of document: String, name: String, digest: String?) async throws -> [UInt8]? {
        if let digest {
            let answer = try await client.request(
                .get, path: "\(document)/attachment?digest=\(AdminPath.escaped(digest))")
            if answer.status != 404 { return try client.checked(answer) }
        }
        let answer = try await client.request(.get, path: "\(document)/\(AdminPath.escaped(name))")
        return answer.status == 404 ? nil : try client.checked(answer)
    }
}

/// A file that grows by lines.
private final class LineFile {
    let file: URL
    private(set) var count = 0
    private let handle: FileHandle

    init(_ file: URL) throws {
        self.file = file
        handle = try GatewayExportFolder.newFile(file)
    }

    func append(_ line: [UInt8]) throws {
        do {
            try handle.write(contentsOf: line + [UInt8(ascii: "\n")])
        } catch {
            throw AdminError(.file, problem: "\(file.path) cannot be written: \(error.localizedDescription)")
        }
        count += 1
    }

    func close() throws { try handle.close() }
}
