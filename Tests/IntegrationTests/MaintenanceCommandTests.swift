import Fieldbook
import Foundation
import Testing

/// What the command line reports about a folder.
@Suite(.serialized) struct MaintenanceCommandTests {
    private func laptop() throws -> Laptop {
        let laptop = try Laptop()
        try laptop.put([("a", #"{"n":1}"#), ("b", #"{"n":2}"#)])
        try laptop.db("rm", Gateway.collection, "b")
        return laptop
    }

    @Test(.timeLimit(.minutes(2))) func info() throws {
        let laptop = try laptop()
        let output = try laptop.db("info", "--json")
        let object = try #require(output.events.first, "\(output.err)")
        #expect((object["schema"] as? Int ?? 0) > 0 && object["conflicts"] as? Int == 0)
        #expect(((object["bytes"] as? [String: Any])?["database"] as? Int ?? 0) > 0)
        let collections = try #require(object["collections"] as? [[String: Any]])
        let own = try #require(collections.first { $0["collection"] as? String == Gateway.collection })
        #expect(own["documents"] as? Int == 1 && own["deleted"] as? Int == 1 && own["sequence"] as? Int == 3)
        let text = try laptop.db("info").out.split(separator: "\n").map(String.init)
        #expect(text.contains("outbox      0"), "\(text)")
        #expect(text.contains("field.inspections  1          1        3"), "\(text)")
        #expect(try Program.fieldbook.run(["db", "info", laptop.folder.path + "-none"]).status == 1)
    }

    @Test(.timeLimit(.minutes(2))) func check() throws {
        let laptop = try laptop()
        let photo = laptop.folder.appendingPathComponent("photo")
        try Data("a photo".utf8).write(to: photo)
        let option = "photo=\(photo.path),image/png"
        #expect(try laptop.db("put", Gateway.collection, "c", "--blob", option, input: "{}").status == 0)
        let whole = try laptop.db("check")
        #expect(whole.status == 0 && whole.out == "There is no damage.\n", "\(whole.err)")
        let attachments = laptop.folder.appendingPathComponent("attachments")
        let files = FileManager.default.enumerator(at: attachments, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
        // Sealed ones are spread over folders with two letters each; the key lies above them.
        let blob = try #require(
            files?.first { $0.deletingLastPathComponent().lastPathComponent.count == 2 && !$0.hasDirectoryPath })
        try FileManager.default.removeItem(at: blob)
        let damaged = try laptop.db("check")
        #expect(damaged.status == 1 && damaged.err.contains("The database is damaged: 1 problem."), "\(damaged.err)")
        #expect(damaged.out.hasSuffix("of the document c of field.inspections is missing\n"), "\(damaged.out)")
    }

    @Test(.timeLimit(.minutes(2))) func compact() throws {
        let laptop = try laptop()
        let text = String(repeating: "x", count: 1_000)
        try laptop.put((0..<300).map { ("d\($0)", #"{"text":"\#(text)"}"#) })
        for _ in 0..<2 { try laptop.put((0..<300).map { ("d\($0)", #"{"n":1}"#) }) }
        let compacted = try laptop.db("compact", "--full")
        #expect(compacted.status == 0 && compacted.out.hasPrefix("Freed "), "\(compacted.out)\(compacted.err)")
        #expect(compacted.out.contains(" bytes. The database takes "), "\(compacted.out)")
        #expect(try laptop.ids().count == 301)
    }
    /// With attachments as the library keeps them unless it is asked to seal them.
    @Test(.timeLimit(.minutes(2))) func anAppsOwnFolderIsOpened() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try Database.open(folder: folder.path)
        let notes = try database.createCollection(name: "notes")
        let photo = Blob(contentType: "image/png", data: Data("a photo".utf8))
        try notes.save(document: MutableDocument(id: "first").setInt(1, forKey: "n").setBlob(photo, forKey: "photo"))
        try database.close()
        func db(_ arguments: String..., input: String = "") throws -> Program.Output {
            try Program.fieldbook.run(["db", arguments[0], folder.path] + arguments.dropFirst(), input: input)
        }
        #expect(try db("ls", "_default.notes").out == "first\n")
        #expect(try db("query", "SELECT n FROM notes", "--json").out == #"{"n":1}"# + "\n")
        #expect(try db("get", "_default.notes", "first", "--blob", "photo").out == "a photo")
        #expect(try db("put", "_default.notes", "second", input: "{}").status == 0)
        #expect(try db("check").status == 0)
        let again = try Database.open(folder: folder.path)
        #expect(try again.createCollection(name: "notes").count == 2)
        try again.close()
    }
}
