import DocumentValues
import Foundation
import Testing
import WorkCount

@testable import GatewayServer

/// What an export reads of a document with many attachments.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ExportGrowthTests {
    private static func names(_ mark: String, _ count: Int) -> [String] { (0..<count).map { "\(mark)-\($0)" } }

    /// Of a document whose attachments hold their own names.
    private static func document(_ names: [String]) -> String {
        let entries = names.map { name in
            "\"\(name)\":{\"content_type\":\"text/plain\",\"data\":\"\(Base64.encode(Array(name.utf8)))\"}"
        }
        return "{\"channels\":[\"north\"],\"_attachments\":{\(entries.joined(separator: ","))}}"
    }

    /// Makes a document, or replaces it.
    private static func put(_ id: String, _ names: [String], _ team: TestTeam) async throws {
        let path = "\(TestTeam.collection)/\(id)"
        let present = try await RawClient.request("GET", path, port: team.gateway.adminPort).json?["_rev"]?.stringValue
        let request = GrowthRequest("PUT", path: path + (present.map { "?rev=\($0)" } ?? ""), body: document(names))
        #expect(try await request.send(team).status == 201)
    }

    private static func client(_ gateway: TestGateway) throws -> AdminClient {
        var configuration = GatewayConfiguration(storagePath: gateway.folder.path)
        configuration.adminInterface = .init(host: "127.0.0.1", port: gateway.adminPort)
        return try AdminClient(configuration)
    }

    private static func exported(_ gateway: TestGateway) async throws -> (folder: URL, attachments: Int) {
        let folder = gateway.folder.appendingPathComponent("export-\(UUID().uuidString)")
        let lines = try await DatabaseExport(client: client(gateway), database: "db")
            .run(collections: ["field.inspections"], into: folder.path, .jsonl, hasAttachments: true)
        return (folder, lines.reduce(0) { $0 + $1.attachments })
    }

    @Test func attachmentsAreExportedAsTheyAre() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            let names = Self.names("photo", 20)
            try await Self.put("one", names, team)
            let (folder, count) = try await Self.exported(gateway)
            #expect(count == 20)
            for name in names {
                let file = folder.appendingPathComponent("attachments/field.inspections/one/\(name).txt")
                #expect(try String(contentsOf: file, encoding: .utf8) == name)
            }
        }
    }

    /// Hours of an export are not lost with one photo that somebody removed meanwhile.
    @Test func anAttachmentThatIsGoneMeanwhileIsLeftOut() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            try await Self.put("one", ["here"], team)
            let export = DatabaseExport(client: try Self.client(gateway), database: "db")
            let path = "/db.field.inspections/one"
            #expect(try await export.attachment(of: path, name: "here", digest: nil) == Array("here".utf8))
            let digest = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="
            #expect(try await export.attachment(of: path, name: "here", digest: digest) == Array("here".utf8))
            #expect(try await export.attachment(of: path, name: "gone", digest: digest) == nil)
            #expect(try await export.attachment(of: path, name: "gone", digest: nil) == nil)
        }
    }

    /// Its name does not fit a request.
    @Test func anAttachmentWithALongNameIsExported() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            try await Self.put("one", [String(repeating: "n", count: 100_000)], team)
            let (folder, count) = try await Self.exported(gateway)
            #expect(count == 1)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder.appendingPathComponent("attachments/field.inspections/one").path)
            #expect(files.count == 1)
        }
    }

    /// Each step from n to 2n and from 2n to 4n, in blocks of memory.
    private static func steps(_ growth: Growth) -> (first: Double, second: Double) {
        let counts = growth.work.map { Double($0[.allocations] ?? 0) }
        return (counts[1] - counts[0], counts[2] - counts[1])
    }

    /// A request costs so much by itself that a square of the attachments' number does not show as one yet.
    @Test(.enabled(if: Growth.countsMemory)) func exportingGrowsWithTheAttachmentsOfADocument() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            let growth = try await Growth.of(300) { size in
                try await Self.put("one", Self.names("a", size), team)
                return size
            } work: { size in
                let attachments = try await Self.exported(gateway).attachments
                #expect(attachments == size)
            }
            let steps = Self.steps(growth)
            #expect(steps.second < 2.4 * steps.first, "\(growth)")
        }
    }

    @Test(.enabled(if: Growth.countsMemory)) func anAttachmentByItsDigestTakesNoLookAtTheOthers() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            let digest = BlobDigest(of: Array("a-0".utf8)).text.replacing("+", with: "%2B")
            var added: [Double] = []
            for query in ["", "?digest=\(digest)"] {
                let growth = try await Growth.of(200) { size in
                    try await Self.put("one", Self.names("a", size), team)
                } work: { _ in
                    let path = "\(TestTeam.collection)/one/a-0\(query)"
                    let answer = try await RawClient.request("GET", path, port: gateway.adminPort)
                    #expect(answer.text == "a-0")
                }
                added.append(Self.steps(growth).second)
            }
            #expect(added[0] > 400 && added[1] * 4 < added[0], "\(added)")
        }
    }

    /// Who sees a document only through channels gets what it has under the name, whatever digest he asks for.
    @Test func administratorsGetAttachmentsByTheirDigest() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            try await Self.put("one", ["first", "second"], team)
            let path = "\(TestTeam.collection)/one/first?digest="
            let second = BlobDigest(of: Array("second".utf8)).text.replacing("+", with: "%2B")
            let admin = try await RawClient.request("GET", path + second, port: gateway.adminPort)
            #expect(admin.status == 200 && admin.text == "second")
            #expect(admin.header("Content-Disposition") == "attachment")
            for (digest, status) in [("nonsense", 400), (BlobDigest(of: [1]).text.replacing("+", with: "%2B"), 404)] {
                let refused = try await RawClient.request("GET", path + digest, port: gateway.adminPort)
                #expect(refused.status == status, "\(refused.text)")
            }
            let alice = try await RawClient.request(
                "GET", path + second, port: gateway.publicPort, headers: [TestTeam.basic("alice")])
            #expect(alice.status == 200 && alice.text == "first")
        }
    }
}
