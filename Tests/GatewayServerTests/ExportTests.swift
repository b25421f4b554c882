import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// The content of an export, and the names of its files.
@Suite struct ExportTests {
    @Test(
        arguments: [
            ("0", .sequence(0)), ("4711", .sequence(4_711)), ("20260301", .sequence(20_260_301)),
            ("2026-03-01", .day("2026-03-01")), ("18446744073709551615", .sequence(.max)),
            ("18446744073709551616", nil), ("", nil), ("-", nil), ("-1", nil), ("+1", nil), ("12:7", nil),
            ("2026-3-1", nil),
            ("2026-13-01", nil), ("2026-01-32", nil), ("2026-00-10", nil), ("2026-03-01T00:00:00Z", nil),
            ("yesterday", nil), ("2026-02-29", nil), ("2026-02-30", nil), ("2100-02-29", nil), ("2026-04-31", nil),
            ("2028-02-29", .day("2028-02-29")), ("2000-02-29", .day("2000-02-29")),
            ("٤٧", nil), ("2026-03-0\u{301}1", nil),
        ] as [(String, ExportSelection.Since?)])
    func aMomentIsASequenceOrADay(text: String, since: ExportSelection.Since?) {
        #expect(ExportSelection.Since(text) == since)
    }

    @Test(
        arguments: [
            (["changedAt": "2026-03-01T00:00:00Z"], true), (["changedAt": "2026-02-28T23:59:59Z"], false),
            (["createdAt": "2026-03-02T00:00:00Z"], true), (["createdAt": "2025-12-31T00:00:00Z"], false),
            (["createdAt": "2025-12-31T00:00:00Z", "changedAt": "2026-03-05T00:00:00Z"], true),
            ([:], true), (["changedAt": 7], true),
        ] as [(JSONObject, Bool)])
    func aDayIsCompared(document: JSONObject, isTaken: Bool) {
        #expect(ExportSelection(since: .day("2026-03-01")).takes(document) == isTaken)
        #expect(ExportSelection(since: .sequence(1), channels: ["a"]).takes(document))
    }

    private static func photo(_ name: JSONValue, _ digest: String) -> JSONValue {
        ["name": name, "blob": ["@type": "blob", "digest": .string(digest)]]
    }

    @Test func anAttachmentHasTheNameThatItsRecordGivesIt() {
        var titles = AttachmentTitles(in: [
            "photos": [
                Self.photo("door.png", "a"), Self.photo("", "b"), Self.photo(7, "c"), Self.photo("stairs.png", "a"),
            ],
            "answers": ["signature": Self.photo("mara.png", "d")],
            "_attachments": ["x": ["name": "no", "digest": "e"], "name": "no"],
        ])
        #expect([titles.take("a"), titles.take("a"), titles.take("a")] == ["door.png", "stairs.png", nil])
        #expect(titles.take("d") == "mara.png")
        for digest in ["b", "c", "e", "nosuch"] { #expect(titles.take(digest) == nil, "\(digest)") }
    }

    /// What a killed export has left is not taken for the whole.
    @Test func anExportIsMarkedUntilItIsComplete() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let export = GatewayExportFolder(url: folder)
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        try export.make()
        #expect(try names() == ["UNFINISHED-EXPORT.txt"])
        let error = #expect(throws: AdminError.self) { try export.make() }
        #expect(error?.description.contains("An export into it was not finished") == true, "\(error as Any)")
        try export.finish()
        #expect(try names() == [])
        try Data("mine".utf8).write(to: folder.appendingPathComponent("mine"))
        let other = #expect(throws: AdminError.self) { try export.make() }
        #expect(other?.description.contains("Export into a new folder") == true, "\(other as Any)")
    }

    /// One damaged document keeps nobody from the others.
    @Test(.timeLimit(.minutes(1))) func aDamagedDocumentIsNamedAndTheOthersAreExported() async throws {
        let storage = FileManager.default.temporaryDirectory.appendingPathComponent("damaged-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: storage) }
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for id in ["a", "b", "c"] {
                let document: JSONValue = ["channels": ["north"], "text": .string("mark-\(id)")]
                try await team.expect(201, team.admin("PUT", "\(TestTeam.collection)/\(id)", document))
            }
            // A storage folder whose database has no log beside it.
            _ = try GatewayBackup(folder: storage.path).make(of: GatewayConfiguration(storagePath: gateway.folder.path))
        }
        try Self.damage("mark-b", in: storage.appendingPathComponent("db/gateway.sqlite3"))
        try await TestGateway.run({ $0.storagePath = storage.path }) { gateway in
            var configuration = GatewayConfiguration(storagePath: storage.path)
            configuration.adminInterface = .init(host: "127.0.0.1", port: gateway.adminPort)
            for since in [nil, ExportSelection.Since.sequence(0)] {
                let folder = gateway.folder.appendingPathComponent("export-\(UUID().uuidString)")
                let lines = try await DatabaseExport(
                    client: try AdminClient(configuration), database: "db", selection: ExportSelection(since: since)
                ).run(collections: ["field.inspections"], into: folder.path, .both, hasAttachments: true)
                #expect(lines.map(\.documents) == [2] && lines.map(\.unreadable) == [["b"]])
            }
        }
    }

    /// The first byte of a stored text becomes one that UTF-8 never has.
    private static func damage(_ text: String, in file: URL) throws {
        var data = try Data(contentsOf: file)
        let stored = try #require(data.range(of: Data(text.utf8)))
        data[stored.lowerBound] = 0xFF
        try data.write(to: file)
    }

    /// Thousands of photos may have one name.
    @Test func namesAreFoundWithoutCountingFromTheStart() {
        var names = ExportNames()
        let made = (0..<20_000).map { _ in names.name(for: "door.png") }
        #expect(made[0] == "door.png" && made[1] == "door-2.png" && made.last == "door-20000.png")
        #expect(Set(made.map { Name($0) }).count == made.count)
        // One that was made of another is not taken again.
        #expect(names.name(for: "door-2.png") == "door-2-2.png")
    }
}
