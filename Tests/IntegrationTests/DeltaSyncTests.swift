import DocumentStore
import Fieldbook
import Foundation
import Testing

/// A large document with a small change, between our replicator and our gateway over real sockets.
@Suite(.serialized) struct DeltaSyncTests {
    private static let count = 40_000
    /// What compresses badly, so that bytes on the wire show what was sent.
    private static let note = String((0..<count).map { _ in "0123456789abcdef".randomElement() ?? "0" })
    private static let photo = Data((0..<count).map { _ in UInt8.random(in: .min ... .max) })

    @Test(.timeLimit(.minutes(2)), arguments: [true, false])
    func aSmallChangeIsASmallMessageBothWays(usesDeltas: Bool) async throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(
            users: ["ann": ["north"], "ben": ["north"]], more: #","delta_sync":{"enabled":\#(usesDeltas)}"#)
        let proxy = try CountingProxy(to: gateway.publicPort)
        let (ann, ben) = (try Tablet("ann", proxy), try Tablet("ben", proxy))
        try ann.edit { document in
            document.setString("north", forKey: "channels").setString(Self.note, forKey: "note")
            document.setInt(1, forKey: "n").setBoolean(true, forKey: "draft")
            document.setBlob(Blob(contentType: "image/x", data: Self.photo), forKey: "photo")
        }
        try await ann.sync()
        try await ben.sync()
        #expect(try ben.json() == ann.json())
        #expect(proxy.take().up > Self.count)

        // Up: a changed member, one that is gone, one that is new.
        try ben.edit { document in
            document.setInt(2, forKey: "n").removeValue(forKey: "draft").setString("ben", forKey: "seen")
        }
        try await ben.sync()
        let push = proxy.take()
        // Down.
        try await ann.sync()
        let pull = proxy.take()
        #expect(try ann.json() == ben.json())
        #expect(try ann.photo() == Self.photo)
        if usesDeltas {
            #expect(push.up < 5_000 && pull.down < 5_000, "\(push) \(pull)")
        } else {
            #expect(push.up > Self.count / 2 && pull.down > Self.count / 2, "\(push) \(pull)")
        }
        let stored = try gateway.admin("GET", "/db.\(Gateway.collection)/a").object
        #expect(stored["n"] as? Int == 2 && stored["draft"] == nil && stored["note"] as? String == Self.note)
        #expect((stored["_attachments"] as? [String: Any])?.count == 1)
        try check(gateway, usesDeltas ? ["deltas_sent": 1, "delta_push_doc_count": 1] : [:])
    }

    @Test(.timeLimit(.minutes(2))) func blobsThatChangeComeWithTheDifference() async throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(
            users: ["ann": ["north"], "ben": ["north"]], more: #","delta_sync":{"enabled":true}"#)
        let proxy = try CountingProxy(to: gateway.publicPort)
        let (ann, ben) = (try Tablet("ann", proxy), try Tablet("ben", proxy))
        try ann.edit { document in
            document.setString("north", forKey: "channels").setString(Self.note, forKey: "note")
            document.setBlob(Blob(contentType: "image/x", data: Data("old".utf8)), forKey: "photo")
        }
        try await ann.sync()
        try await ben.sync()
        _ = proxy.take()
        // Another one instead, one more, and then none.
        try ben.edit { document in
            document.setBlob(Blob(contentType: "image/x", data: Data("new".utf8)), forKey: "photo")
            document.setBlob(Blob(contentType: "image/x", data: Data("more".utf8)), forKey: "second")
        }
        try await ben.sync()
        try await ann.sync()
        #expect(try ann.json() == ben.json())
        #expect(try ann.photo() == Data("new".utf8))
        try ann.edit { $0.removeValue(forKey: "photo").removeValue(forKey: "second") }
        try await ann.sync()
        try await ben.sync()
        #expect(try ben.json() == ann.json() && ben.photo() == nil)
        let bytes = proxy.take()
        #expect(bytes.up < Self.count / 2 && bytes.down < Self.count / 2, "\(bytes)")
        let stored = try gateway.admin("GET", "/db.\(Gateway.collection)/a").object
        #expect(stored["_attachments"] == nil)
        try check(gateway, ["deltas_sent": 2, "delta_push_doc_count": 2])
    }

    /// The metrics that there are, or none where differences are off.
    private func check(_ gateway: Gateway, _ expected: [String: Int]) throws {
        let answer = try gateway.request("GET", "/metrics", port: gateway.metricsPort)
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        let values = lines.filter { $0.hasPrefix("sgw_delta_sync_") && $0.contains("{database=\"db\"}") }
        #expect(expected.isEmpty == values.isEmpty)
        for (name, value) in expected {
            #expect(values.contains("sgw_delta_sync_\(name){database=\"db\"} \(value)"), "\(values)")
        }
    }
}

/// A user's database with one document in it that matters.
private final class Tablet {
    private let database: Database
    private let collection: DocumentStore.Collection
    private let folder: URL
    private let configuration: ReplicatorConfiguration

    init(_ user: String, _ proxy: CountingProxy) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tablet-\(UUID().uuidString)")
        database = try Database.open(folder: folder.path)
        collection = try database.createCollection(name: "inspections", scope: "field")
        let url = try #require(URL(string: "ws://127.0.0.1:\(proxy.port)/db"))
        var configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: collection)], target: URLEndpoint(url: url))
        configuration.authenticator = BasicAuthenticator(username: user, password: "secret")
        configuration.maxAttempts = 1
        self.configuration = configuration
    }

    deinit {
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func edit(_ change: (MutableDocument) -> Void) throws {
        let document = try collection.document(id: "a")?.toMutable() ?? MutableDocument(id: "a")
        change(document)
        try collection.save(document: document)
    }

    func json() throws -> NSDictionary? {
        guard let text = try collection.document(id: "a")?.toJSON() else { return nil }
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    }

    func photo() throws -> Data? { try collection.document(id: "a")?.blob(forKey: "photo")?.content }

    func sync() async throws { try await Replicator(config: configuration).run() }
}
