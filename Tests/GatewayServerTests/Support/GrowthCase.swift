import DocumentValues
import Foundation

/// A request that has many of something.
struct GrowthCase: Sendable {
    enum Sender: Sendable { case nobody, alice, administrator }

    let name: String
    /// The route it measures, as `GrowthTests` writes it; `nil` for a second case of one.
    let route: String
    let size: Int
    let status: Int
    var sender = Sender.alice
    var type = "application/json"
    var headers: @Sendable (Int) -> [(String, String)] = { _ in [] }
    /// What has to be there, made by an administrator before: a request for each.
    var setUp: @Sendable (Int) -> [GrowthRequest] = { _ in [] }
    let path: @Sendable (Int) -> String
    var body: @Sendable (Int) -> String = { _ in "" }

    var method: String { String(route.prefix { $0 != " " }) }
}

extension GrowthCase {
    private static let keyspace = "/db.field.inspections"

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    private static func names(_ count: Int) -> String { list(count) { "\"c\($0)\"" } }

    private static func members(_ count: Int, _ member: (Int) -> String = { "\"k\($0)\":1" }) -> String {
        "{\"channels\":[\"north\"]," + (0..<count).map(member).joined(separator: ",") + "}"
    }

    private static func object(_ count: Int, _ member: (Int) -> String = { "\"k\($0)\":1" }) -> String {
        "{" + (0..<count).map(member).joined(separator: ",") + "}"
    }

    private static func attachments(_ count: Int) -> String {
        let entries = (0..<count).map { "\"a\($0)\":{\"data\":\"aGk=\"}" }.joined(separator: ",")
        return "{\"channels\":[\"north\"],\"_attachments\":{\(entries)}}"
    }

    private static func documents(_ count: Int, _ mark: String) -> String {
        "{\"docs\":\(list(count) { "{\"_id\":\"\(mark)\($0)\",\"channels\":[\"north\"]}" })}"
    }

    private static func history(_ count: Int, _ id: String) -> String {
        let ids = list(count) { "\"a\($0)\"" }
        return "{\"new_edits\":false,\"docs\":[{\"_id\":\"\(id)\",\"_rev\":\"\(count)-a0\","
            + "\"_revisions\":{\"start\":\(count),\"ids\":\(ids)},\"channels\":[\"north\"]}]}"
    }

    private static func access(_ count: Int) -> String {
        "{\"password\":\"long enough\",\"collection_access\":{\"field\":{\"inspections\":{\"admin_channels\":\(names(count))}}}}"
    }

    private static func roleAccess(_ count: Int) -> String {
        "{\"collection_access\":{\"field\":{\"inspections\":{\"admin_channels\":\(names(count))}}}}"
    }

    private static func query(_ count: Int) -> String { (0..<count).map { "a\($0)" }.joined(separator: "&") }

    private static func function(_ count: Int) -> String {
        "function(doc){" + (0..<count).map { "var v\($0)=\($0);" }.joined() + "channel(doc.channels);}"
    }

    private static let upgrade = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ]

    static let all = feeds + documents + bulk + principals + administration

    private static let feeds: [GrowthCase] = [
        GrowthCase(
            name: "a feed on a WebSocket, before the login", route: "GET collection _changes", size: 2_000, status: 401,
            sender: .nobody, headers: { _ in upgrade }, path: { "\(keyspace)/_changes?feed=websocket&\(query($0))" }),
        GrowthCase(
            name: "a feed on a WebSocket of no database", route: "GET collection _changes", size: 2_000, status: 401,
            sender: .nobody, headers: { _ in upgrade }, path: { "/nowhere/_changes?feed=websocket&\(query($0))" }),
        GrowthCase(
            name: "a query", route: "GET collection _changes", size: 2_000, status: 200,
            path: { "\(keyspace)/_changes?limit=1&\(query($0))" }),
        GrowthCase(
            name: "rows of a feed", route: "GET collection _changes", size: 200, status: 200,
            setUp: { [GrowthRequest("POST", path: "\(keyspace)/_bulk_docs", body: documents($0, "feed"))] },
            path: { "\(keyspace)/_changes?limit=\($0)&include_docs=true" }),
        GrowthCase(
            name: "ids of a feed", route: "POST collection _changes", size: 1_000, status: 200,
            path: { _ in "\(keyspace)/_changes" },
            body: { "{\"filter\":\"_doc_ids\",\"doc_ids\":\(list($0) { "\"d\($0)\"" })}" }),
        GrowthCase(
            name: "channels of a feed", route: "POST collection _changes", size: 2_000, status: 200,
            path: { _ in "\(keyspace)/_changes" },
            body: { count in
                let names = (0..<count).map { "c\($0)" }.joined(separator: ",")
                return "{\"filter\":\"sync_gateway/bychannel\",\"channels\":\"\(names)\"}"
            }),
    ]

    private static let documents: [GrowthCase] = [
        GrowthCase(
            name: "announced attachments", route: "PUT collection *", size: 6_000, status: 413,
            type: "multipart/related; boundary=X", path: { _ in "\(keyspace)/m" },
            body: { "--X\r\n\r\n{\"_attachments\":\(object($0) { "\"a\($0)\":{\"follows\":true}" })}\r\n--X--" }),
        GrowthCase(
            name: "parts", route: "PUT collection *", size: 300, status: 201, type: "multipart/related; boundary=X",
            path: { _ in "\(keyspace)/m\(UUID())" },
            body: { count in
                let entries = object(count) { "\"a\($0)\":{\"follows\":true,\"digest\":\"\(digest($0))\"}" }
                let parts = (0..<count).map { "\r\n--X\r\n\r\npart\($0)" }.joined()
                return "--X\r\n\r\n{\"channels\":[\"north\"],\"_attachments\":\(entries)}\(parts)\r\n--X--"
            }),
        GrowthCase(
            name: "attachments inside", route: "PUT collection *", size: 300, status: 201,
            path: { "\(keyspace)/inline\($0)\(UUID())" }, body: { attachments($0) }),
        GrowthCase(
            name: "members", route: "PUT collection *", size: 4_000, status: 201,
            path: { "\(keyspace)/d\($0)\(UUID())" }, body: { members($0) }),
        GrowthCase(
            name: "members in one part", route: "PUT collection *", size: 4_000, status: 201,
            type: "multipart/related; boundary=X", path: { "\(keyspace)/d\($0)\(UUID())" },
            body: { "--X\r\n\r\n\(members($0))\r\n--X--" }),
        GrowthCase(
            name: "one name again and again", route: "PUT collection *", size: 4_000, status: 201,
            type: "multipart/related; boundary=X", path: { "\(keyspace)/t\($0)\(UUID())" },
            body: { "--X\r\n\r\n\(members($0) { "\"k\":\($0)" })\r\n--X--" }),
        GrowthCase(
            name: "members posted", route: "POST collection ", size: 2_000, status: 200, path: { _ in "\(keyspace)/" },
            body: { members($0) }),
        GrowthCase(
            name: "a document with attachments", route: "GET collection *", size: 300, status: 200,
            setUp: { [GrowthRequest("PUT", path: "\(keyspace)/atts\($0)", body: attachments($0))] },
            path: { "\(keyspace)/atts\($0)?attachments=true" }),
        GrowthCase(
            name: "open revisions", route: "GET collection *", size: 1_000, status: 200,
            setUp: { _ in [GrowthRequest("PUT", path: "\(keyspace)/open", body: "{\"channels\":[\"north\"]}")] },
            path: { count in
                let list = "[" + (0..<count).map { "%22\($0 + 1)-a%22" }.joined(separator: ",") + "]"
                return "\(keyspace)/open?open_revs=\(list)"
            }),
        GrowthCase(
            name: "ancestors whose attachments are known", route: "GET collection *", size: 1_000, status: 200,
            setUp: { _ in [GrowthRequest("PUT", path: "\(keyspace)/since", body: "{\"channels\":[\"north\"]}")] },
            path: { count in
                let list = "[" + (0..<count).map { "%22\($0 + 1)-a%22" }.joined(separator: ",") + "]"
                return "\(keyspace)/since?attachments=true&atts_since=\(list)"
            }),
        GrowthCase(
            name: "deletion with a long query", route: "DELETE collection *", size: 2_000, status: 409,
            path: { "\(keyspace)/nothing?rev=1-a&\(query($0))" }),
        GrowthCase(
            name: "an attachment's bytes", route: "PUT collection */*", size: 200_000, status: 201,
            type: "image/jpeg", path: { "\(keyspace)/photo\($0)\(UUID())/f" },
            body: { String(repeating: "x", count: $0) }),
        GrowthCase(
            name: "bytes of an attachment", route: "GET collection */*", size: 200_000, status: 200,
            sender: .administrator,
            setUp: {
                [GrowthRequest("PUT", path: "\(keyspace)/bytes\($0)/f", body: String(repeating: "x", count: $0))]
            },
            path: { "\(keyspace)/bytes\($0)/f" }),
        GrowthCase(
            name: "an attachment taken from many", route: "DELETE collection */*", size: 300, status: 409,
            setUp: { [GrowthRequest("PUT", path: "\(keyspace)/many\($0)", body: attachments($0))] },
            path: { "\(keyspace)/many\($0)/a1" }),
        GrowthCase(
            name: "a local document", route: "PUT collection _local/*", size: 2_000, status: 201,
            path: { "\(keyspace)/_local/l\($0)\(UUID())" }, body: { object($0) }),
        GrowthCase(
            name: "a local document read", route: "GET collection _local/*", size: 2_000, status: 200,
            setUp: { [GrowthRequest("PUT", path: "\(keyspace)/_local/read\($0)", body: object($0))] },
            path: { "\(keyspace)/_local/read\($0)" }),
    ]

    private static func digest(_ number: Int) -> String { BlobDigest(of: Array("part\(number)".utf8)).text }

    private static let bulk: [GrowthCase] = [
        GrowthCase(
            name: "documents", route: "POST collection _bulk_docs", size: 200, status: 201,
            path: { _ in "\(keyspace)/_bulk_docs" },
            body: { "{\"docs\":\(list($0) { _ in "{\"channels\":[\"north\"]}" })}" }),
        GrowthCase(
            name: "documents of one id", route: "POST collection _bulk_docs", size: 100, status: 201,
            path: { _ in "\(keyspace)/_bulk_docs" },
            body: { "{\"docs\":\(list($0) { _ in "{\"_id\":\"same\",\"channels\":[\"north\"]}" })}" }),
        GrowthCase(
            name: "ancestors", route: "POST collection _bulk_docs", size: 2_000, status: 201,
            path: { _ in "\(keyspace)/_bulk_docs" }, body: { history($0, "\(UUID())") }),
        GrowthCase(
            name: "channels of a document", route: "POST collection _bulk_docs", size: 500, status: 201,
            path: { _ in "\(keyspace)/_bulk_docs" },
            body: { count in "{\"docs\":[{\"channels\":\(list(count) { "\"north\($0)\"" })}]}" }),
        GrowthCase(
            name: "revisions to compare", route: "POST collection _revs_diff", size: 1_000, status: 200,
            path: { _ in "\(keyspace)/_revs_diff" }, body: { "{\"doc\":\(list($0) { "\"\($0 + 1)-a\"" })}" }),
        GrowthCase(
            name: "documents to compare", route: "POST collection _revs_diff", size: 1_000, status: 200,
            path: { _ in "\(keyspace)/_revs_diff" }, body: { object($0) { "\"d\($0)\":[\"1-a\"]" } }),
        GrowthCase(
            name: "documents to get", route: "POST collection _bulk_get", size: 500, status: 200,
            path: { _ in "\(keyspace)/_bulk_get" }, body: { "{\"docs\":\(list($0) { "{\"id\":\"d\($0)\"}" })}" }),
        GrowthCase(
            name: "revisions whose attachments are known", route: "POST collection _bulk_get", size: 2_000, status: 200,
            path: { _ in "\(keyspace)/_bulk_get" },
            body: { "{\"docs\":[{\"id\":\"doc\",\"atts_since\":\(list($0) { "\"\($0 + 1)-a\"" })}]}" }),
        GrowthCase(
            name: "keys", route: "POST collection _all_docs", size: 1_000, status: 200,
            path: { _ in "\(keyspace)/_all_docs" }, body: { "{\"keys\":\(list($0) { "\"d\($0)\"" })}" }),
        GrowthCase(
            name: "keys of one document with as many attachments", route: "POST collection _all_docs", size: 100,
            status: 200,
            setUp: { [GrowthRequest("PUT", path: "\(keyspace)/full\($0)", body: attachments($0))] },
            path: { _ in "\(keyspace)/_all_docs" },
            body: { size in "{\"keys\":\(list(size) { _ in "\"full\(size)\"" })}" }),
        GrowthCase(
            name: "rows of one document with as many attachments", route: "POST collection _bulk_docs", size: 100,
            status: 201,
            setUp: { [GrowthRequest("PUT", path: "\(keyspace)/rows\($0)", body: attachments($0))] },
            path: { _ in "\(keyspace)/_bulk_docs" },
            body: { size in "{\"docs\":\(list(size) { _ in "{\"_id\":\"rows\(size)\",\"_rev\":\"1-zz\"}" })}" }),
        GrowthCase(
            name: "rows of a list", route: "GET collection _all_docs", size: 200, status: 200,
            setUp: { [GrowthRequest("POST", path: "\(keyspace)/_bulk_docs", body: documents($0, "list"))] },
            path: { "\(keyspace)/_all_docs?startkey=list0&endkey=list9999&limit=\($0)&include_docs=true" }),
    ]

    private static let principals: [GrowthCase] = [
        GrowthCase(
            name: "a user's channels", route: "PUT database _user/*", size: 500, status: 201, sender: .administrator,
            path: { _ in "/db/_user/u\(UUID())" }, body: { access($0) }),
        GrowthCase(
            name: "a new user's channels", route: "POST database _user", size: 500, status: 201,
            sender: .administrator, path: { _ in "/db/_user/" },
            body: { "{\"name\":\"n\(UUID())\"," + access($0).dropFirst() }),
        GrowthCase(
            name: "channels of a user", route: "GET database _user/*", size: 500, status: 200, sender: .administrator,
            setUp: { [GrowthRequest("PUT", path: "/db/_user/read\($0)", body: access($0))] },
            path: { "/db/_user/read\($0)" }),
        GrowthCase(
            name: "a user who had channels", route: "DELETE database _user/*", size: 500, status: 200,
            sender: .administrator, setUp: { [GrowthRequest("PUT", path: "/db/_user/gone\($0)", body: access($0))] },
            path: { "/db/_user/gone\($0)" }),
        GrowthCase(
            name: "a role's channels", route: "PUT database _role/*", size: 500, status: 201, sender: .administrator,
            path: { _ in "/db/_role/r\(UUID())" }, body: { roleAccess($0) }),
        GrowthCase(
            name: "a new role's channels", route: "POST database _role", size: 500, status: 201,
            sender: .administrator, path: { _ in "/db/_role/" },
            body: { "{\"name\":\"n\(UUID())\"," + roleAccess($0).dropFirst() }),
        GrowthCase(
            name: "channels of a role", route: "GET database _role/*", size: 500, status: 200, sender: .administrator,
            setUp: { [GrowthRequest("PUT", path: "/db/_role/read\($0)", body: roleAccess($0))] },
            path: { "/db/_role/read\($0)" }),
        GrowthCase(
            name: "a role that had channels", route: "DELETE database _role/*", size: 500, status: 200,
            sender: .administrator,
            setUp: { [GrowthRequest("PUT", path: "/db/_role/gone\($0)", body: roleAccess($0))] },
            path: { "/db/_role/gone\($0)" }),
        GrowthCase(
            name: "roles", route: "GET database _role", size: 50, status: 200, sender: .administrator,
            setUp: { count in (0..<count).map { GrowthRequest("PUT", path: "/db/_role/all\($0)", body: "{}") } },
            path: { _ in "/db/_role/" }),
        GrowthCase(
            name: "unknown members of a login", route: "POST database _session", size: 200, status: 400,
            sender: .nobody,
            path: { _ in "/db/_session" },
            body: { "{\"name\":\"alice\",\"password\":\"wrong\"," + object($0).dropFirst() }),
        GrowthCase(
            name: "cookies", route: "GET database _session", size: 250, status: 200, sender: .nobody,
            headers: { [("Cookie", (0..<$0).map { "c\($0)=1" }.joined(separator: "; "))] },
            path: { "/db/_session?\(query($0))" }),
        GrowthCase(
            name: "sessions", route: "DELETE database _user/*/_session", size: 20, status: 200, sender: .administrator,
            setUp: { count in
                (0..<count).map { _ in GrowthRequest("POST", path: "/db/_session", body: "{\"name\":\"alice\"}") }
            },
            path: { _ in "/db/_user/alice/_session" }),
    ]

    private static let administration: [GrowthCase] = [
        GrowthCase(
            name: "a document that is tried", route: "POST collection _try_sync_function", size: 1_000, status: 200,
            sender: .administrator, path: { _ in "\(keyspace)/_try_sync_function" },
            body: { "{\"document\":{\"_id\":\"tried\"," + members($0).dropFirst() + ",\"user\":\"alice\"}" }),
        GrowthCase(
            name: "channels that a document would have", route: "POST collection _try_sync_function", size: 500,
            status: 200, sender: .administrator, path: { _ in "\(keyspace)/_try_sync_function" },
            body: { "{\"document\":{\"_id\":\"tried\",\"channels\":\(names($0))}}" }),
        GrowthCase(
            name: "a stored document that is tried", route: "POST collection _try_sync_function", size: 1_000,
            status: 200, sender: .administrator,
            setUp: { [GrowthRequest("PUT", path: "\(keyspace)/try\($0)", body: members($0))] },
            path: { _ in "\(keyspace)/_try_sync_function" }, body: { "{\"id\":\"try\($0)\"}" }),
        GrowthCase(
            name: "unknown settings of the gateway", route: "PUT server _config", size: 1_000, status: 400,
            sender: .administrator, path: { _ in "/_config" }, body: { object($0) }),
        GrowthCase(
            name: "a sync function", route: "PUT configuredCollection _config/sync", size: 500, status: 200,
            sender: .administrator, type: "application/javascript", path: { _ in "/db.field.sites/_config/sync" },
            body: { function($0) }),
        GrowthCase(
            name: "unknown settings to merge", route: "POST database _config", size: 1_000, status: 400,
            sender: .administrator, path: { _ in "/db/_config" }, body: { object($0) }),
        GrowthCase(
            name: "unknown settings", route: "PUT database _config", size: 1_000, status: 400, sender: .administrator,
            path: { _ in "/db/_config" }, body: { object($0) }),
        GrowthCase(
            name: "documents to purge", route: "POST collection _purge", size: 200, status: 200,
            sender: .administrator,
            setUp: { [GrowthRequest("POST", path: "\(keyspace)/_bulk_docs", body: documents($0, "purged"))] },
            path: { _ in "\(keyspace)/_purge" }, body: { object($0) { "\"purged\($0)\":[\"*\"]" } }),
        GrowthCase(
            name: "a raw document's members", route: "GET collection _raw/*", size: 2_000, status: 200,
            sender: .administrator, setUp: { [GrowthRequest("PUT", path: "\(keyspace)/raw\($0)", body: members($0))] },
            path: { "\(keyspace)/_raw/raw\($0)" }),
        GrowthCase(
            name: "documents of a channel", route: "GET collection _dumpchannel/*", size: 200, status: 200,
            sender: .administrator,
            setUp: { count in
                let rows = list(count) { "{\"_id\":\"dump\(count)-\($0)\",\"channels\":[\"dump\(count)\"]}" }
                return [GrowthRequest("POST", path: "\(keyspace)/_bulk_docs", body: "{\"docs\":\(rows)}")]
            }, path: { "\(keyspace)/_dumpchannel/dump\($0)" }),
    ]
}
