import BLIPProtocol
import DocumentValues
import SyncProtocol

/// A message that has many of something.
struct MessageGrowthCase: Sendable {
    let name: String
    let profile: MessageProfile
    let size: Int
    /// What is answered: 200 for no refusal.
    var status = 200
    /// What has to be there: of a document's id, which is another one each time, and the size.
    var setUp: @Sendable (String, Int) -> [GrowthRequest] = { _, _ in [] }
    /// What the client has to do before, of the same.
    var isReady: @Sendable (HostileSync, String, Int) async throws -> Void = { _, _, _ in }
    var properties: @Sendable (String, Int) -> BLIPProperties = { _, _ in [:] }
    var body: @Sendable (Int) -> String = { _ in "" }
    /// Whether the answer is that of so many.
    var holds: @Sendable (String, Int) -> Bool = { _, _ in true }
    /// The revisions that come then, for the size: they are part of the work.
    var pulled: (@Sendable (Int) -> Int)?

    func send(
        _ client: HostileSync, _ properties: BLIPProperties, _ body: [UInt8], _ size: Int
    ) async throws -> HostileSync.Answer {
        guard let pulled else { return try await client.ask(profile.rawValue, properties, bytes: body) }
        let answer = try await client.pull(properties, body: JSONValue(parsing: body)).0
        try await client.hears("rev", times: pulled(size))
        return answer
    }
}

extension MessageGrowthCase {
    private static let keyspace = TestTeam.collection

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    private static func object(_ count: Int, _ member: (Int) -> String = { "\"k\($0)\":1" }) -> String {
        "{" + (0..<count).map(member).joined(separator: ",") + "}"
    }

    /// Of a document that alice sees.
    private static func members(_ count: Int, _ member: (Int) -> String = { "\"k\($0)\":1" }) -> String {
        "{\"channels\":[\"north\"]," + object(count, member).dropFirst()
    }

    private static func members(of text: String) -> Int {
        (try? JSONValue(parsing: text).objectValue?.count) ?? 0
    }

    static let all = connections + checkpoints + feeds + announcements + revisions + fetched

    private static let connections: [MessageGrowthCase] = [
        MessageGrowthCase(
            name: "collections", profile: .getCollections, size: 200, status: 404,
            body: { count in
                let names = list(count) { "\"field.c\($0)\"" }
                return "{\"collections\":\(names),\"checkpoint_ids\":\(list(count) { "\"id\($0)\"" })}"
            })
    ]

    private static let checkpoints: [MessageGrowthCase] = [
        MessageGrowthCase(
            name: "a checkpoint", profile: .setCheckpoint, size: 2_000,
            properties: { id, _ in ["client": id] }, body: { object($0) }),
        MessageGrowthCase(
            name: "a checkpoint that is kept", profile: .getCheckpoint, size: 2_000,
            isReady: { client, id, count in
                let properties: BLIPProperties = ["collection": "0", "client": id]
                _ = try await client.ask("setCheckpoint", properties, bytes: Array(object(count).utf8))
            },
            properties: { id, _ in ["client": id] }, holds: { members(of: $0) == $1 }),
    ]

    private static let feeds: [MessageGrowthCase] = [
        MessageGrowthCase(
            name: "ids of a feed", profile: .subChanges, size: 1_000,
            body: { "{\"docIDs\":\(list($0) { "\"nothing\($0)\"" })}" }, pulled: { _ in 0 }),
        MessageGrowthCase(
            name: "channels of a feed", profile: .subChanges, size: 1_000,
            properties: { _, count in
                let names = (0..<count).map { "c\($0)" }.joined(separator: ",")
                return ["filter": "sync_gateway/bychannel", "channels": names]
            }),
        MessageGrowthCase(
            name: "revisions pulled", profile: .subChanges, size: 100,
            setUp: { _, count in
                let documents = list(count) { "{\"_id\":\"pulled\($0)\",\"channels\":[\"north\"]}" }
                return [GrowthRequest("POST", path: "\(keyspace)/_bulk_docs", body: "{\"docs\":\(documents)}")]
            }, body: { "{\"docIDs\":\(list($0) { "\"pulled\($0)\"" })}" }, pulled: { $0 }),
    ]

    private static let announcements: [MessageGrowthCase] = [
        MessageGrowthCase(
            name: "proposed revisions", profile: .proposeChanges, size: 1_000,
            body: { list($0) { "[\"p\($0)\",\"1-a\"]" } }),
        MessageGrowthCase(
            name: "announced revisions", profile: .changes, size: 1_000, status: 409,
            body: { list($0) { "[\($0),\"p\($0)\",\"1-a\"]" } }),
    ]

    private static func pushed(_ id: String, _: Int) -> BLIPProperties { ["id": id, "rev": "1-a"] }

    private static let revisions: [MessageGrowthCase] = [
        MessageGrowthCase(
            name: "members pushed", profile: .rev, size: 4_000, properties: pushed, body: { members($0) }),
        MessageGrowthCase(
            name: "members put", profile: .putRev, size: 2_000, properties: pushed, body: { members($0) }),
        MessageGrowthCase(
            name: "one name pushed", profile: .rev, size: 4_000, properties: pushed,
            body: { members($0) { "\"k\":\($0)" } }),
        MessageGrowthCase(
            name: "ancestors pushed", profile: .rev, size: 1_000,
            properties: { id, count in
                let history = (1..<count).reversed().map { "\($0)-a" }.joined(separator: ",")
                return ["id": id, "rev": "\(count)-a", "history": history]
            }, body: { _ in members(1) }),
        MessageGrowthCase(
            name: "attachments pushed", profile: .rev, size: 300, properties: pushed,
            body: { "{\"channels\":[\"north\"],\"_attachments\":\(object($0) { "\"a\($0)\":{\"data\":\"aGk=\"}" })}" }),
        MessageGrowthCase(
            name: "blobs pushed", profile: .rev, size: 300, properties: pushed,
            body: { members($0) { "\"k\($0)\":{\"@type\":\"blob\",\"digest\":\"sha1-\($0)\"}" } }),
        MessageGrowthCase(
            name: "stubs kept", profile: .rev, size: 300,
            setUp: { id, count in
                let old = object(count) { "\"a\($0)\":{\"data\":\"aGk=\"}" }
                let document = "{\"_id\":\"\(id)\",\"_rev\":\"1-a\",\"channels\":[\"north\"],\"_attachments\":\(old)}"
                return [
                    GrowthRequest(
                        "POST", path: "\(keyspace)/_bulk_docs", body: "{\"new_edits\":false,\"docs\":[\(document)]}")
                ]
            },
            properties: { id, _ in ["id": id, "rev": "2-b", "history": "1-a"] },
            body: { count in
                let digest = BlobDigest(of: Array("hi".utf8)).text
                let stubs = object(count) { "\"a\($0)\":{\"stub\":true,\"revpos\":1,\"digest\":\"\(digest)\"}" }
                return "{\"channels\":[\"north\"],\"_attachments\":\(stubs)}"
            }),
        MessageGrowthCase(
            name: "a difference pushed", profile: .rev, size: 1_000,
            setUp: { id, count in
                let old = "{\"_id\":\"\(id)\",\"_rev\":\"1-a\"," + members(count) { "\"k\($0)\":0" }.dropFirst()
                return [
                    GrowthRequest(
                        "POST", path: "\(keyspace)/_bulk_docs", body: "{\"new_edits\":false,\"docs\":[\(old)]}")
                ]
            },
            properties: { id, _ in ["id": id, "rev": "2-b", "history": "1-a", "deltaSrc": "1-a"] },
            body: { object($0) }),
        MessageGrowthCase(
            name: "a difference without its source", profile: .rev, size: 1_000, status: 422,
            properties: { id, _ in ["id": id, "rev": "2-b", "history": "1-a", "deltaSrc": "1-a"] },
            body: { object($0) }),
    ]

    private static let fetched: [MessageGrowthCase] = [
        MessageGrowthCase(
            name: "a document got", profile: .getRev, size: 2_000,
            setUp: { [GrowthRequest("PUT", path: "\(keyspace)/\($0)", body: members($1))] },
            properties: { id, _ in ["id": id] }, holds: { members(of: $0) == $1 + 1 }),
        MessageGrowthCase(
            name: "an attachment got", profile: .getAttachment, size: 50_000,
            setUp: { id, count in
                let data = Base64.encode([UInt8](repeating: 120, count: count))
                let body = "{\"channels\":[\"north\"],\"_attachments\":{\"a\":{\"data\":\"\(data)\"}}}"
                return [GrowthRequest("PUT", path: "\(keyspace)/\(id)", body: body)]
            },
            isReady: { client, id, _ in
                // It may be had while the revision is under way.
                client.ignores("rev")
                _ = try await client.pull(["collection": "0"], body: ["docIDs": [.string(id)]])
                try await client.hears("rev")
            },
            properties: { id, count in
                ["docID": id, "digest": BlobDigest(of: [UInt8](repeating: 120, count: count)).text]
            }, holds: { $0.utf8.count == $1 }),
    ]
}
