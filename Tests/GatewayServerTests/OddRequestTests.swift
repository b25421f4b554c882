import DocumentValues
import Testing

/// Requests that are wrong in one point, and their answers. Each of them was once accepted, or answered otherwise
/// than Sync Gateway does.
@Suite(.serialized) struct OddRequestTests {
    private struct Case: Sendable {
        let method: String
        let path: String
        let body: JSONValue?
        let status: Int
        var reason = ""

        init(_ method: String, _ path: String, _ body: JSONValue? = nil, _ status: Int, _ reason: String = "") {
            self.method = method
            self.path = path
            self.body = body
            self.status = status
            self.reason = reason
        }
    }

    private func play(_ cases: [Case]) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let document: JSONValue = ["channels": ["north"], "_attachments": ["a": ["data": "aGVsbG8="]]]
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/d", document))
            for odd in cases {
                let answer = try await team.admin(odd.method, odd.path, odd.body)
                #expect(answer.status == odd.status, "\(odd.method) \(odd.path) \(odd.body ?? .null): \(answer.text)")
                guard !odd.reason.isEmpty else { continue }
                #expect(answer.json?["reason"]?.stringValue == odd.reason, "\(odd.method) \(odd.path)")
            }
        }
    }

    private static let keyspace = TestTeam.collection

    @Test(.timeLimit(.minutes(1))) func usersAndRolesOfWrongTypes() async throws {
        func wrong(_ kind: String, _ name: String, _ type: String) -> String {
            "Invalid JSON: \"json: cannot unmarshal \(kind) into Go struct field PrincipalConfig.\(name) of type \(type)\""
        }
        let user = "/db/_user/alice"
        try await play([
            Case("PUT", user, ["admin_channels": "a"], 400, wrong("string", "admin_channels", "[]string")),
            Case("PUT", user, ["admin_channels": [1]], 400, wrong("number", "admin_channels", "string")),
            Case("PUT", user, ["password": 7], 400, wrong("number", "password", "string")),
            Case("PUT", user, ["disabled": "x"], 400, wrong("string", "disabled", "bool")),
            Case("PUT", user, ["all_channels": ["x"]], 400, "all_channels is read-only"),
            Case("PUT", user, ["roles": ["x"]], 400, "roles is read-only"),
            Case("PUT", user, ["jwt_issuer": "x"], 400, "Can't change read-only properties"),
            Case("PUT", user, ["collection_access": []], 400), Case("PUT", user, ["collection_access": ["f": 1]], 400),
            Case(
                "PUT", user, ["collection_access": ["field": ["inspections": ["all_channels": ["n"]]]]], 400,
                "collection_access.all_channels is read-only"),
            Case("PUT", "/db/_role/r", ["admin_channels": 1], 400),
            Case("PUT", user, ["disabled": nil, "admin_channels": nil], 200),
            Case("PUT", user, ["admin_roles": ["x/y"]], 400, "Invalid role name \"x/y\""),
            Case("GET", "/db/_user/?limit=2", nil, 400, "Use of limit only supported when name_only=false"),
            Case("GET", "/db/_user/?name_only=false&limit=-1", nil, 200),
        ])
    }

    @Test(.timeLimit(.minutes(1))) func usersAndRolesOfDatabasesThatAreNotThere() async throws {
        func access(_ scope: String, _ collection: String, _ channel: String = "x") -> JSONValue {
            let channels: JSONValue = ["admin_channels": [.string(channel)]]
            return ["collection_access": .object([scope: .object([collection: channels])])]
        }
        func missing(_ keyspace: String) -> String {
            "keyspace specified in collection_access (db.\(keyspace)) not found"
        }
        // The letter in the middle of which the beginning would end is left out.
        let long = "x" + String(repeating: "é", count: 300)
        let beginning = JSONValue.string("x" + String(repeating: "é", count: 19) + "…")
        let users = ["/db/_user/alice", "/db/_role/r"].flatMap { path in
            [
                Case("PUT", path, access("field", "none"), 404, missing("field.none")),
                Case("PUT", path, access("none", "none"), 404, missing("none.none")),
                // The database has no default collection. Channels of it are kept for when it has one.
                Case("PUT", path, access("_default", "_default"), 404, missing("_default._default")),
                Case("PUT", path, ["admin_channels": [""]], 400, "Illegal channel name \"\""),
                Case("PUT", path, ["admin_channels": ["x", ""]], 400, "Illegal channel name \"\""),
                Case(
                    "PUT", path, ["admin_channels": [.string(long)]], 400,
                    "The channel \(beginning) has more than 512 bytes"),
            ]
        }
        try await play(
            users + [
                Case("POST", "/db/_role/", ["name": "r", "collection_access": ["field": ["none": [:]]]], 404),
                Case("GET", "/db/_role/r", nil, 404, "missing"),
                Case("PUT", "/db/_role/r", access("field", "inspections", ""), 201),
                Case("PUT", "/db/_role/a%FFb", [:], 400, Self.wrongPath),
                Case("PUT", "/db/_role/a%EF%BF%BDb", [:], 400, "invalid name: non UTF-8 encoding"),
                Case("PUT", "/db/_role/%2A", [:], 400, "invalid name: must contain alphanumeric"),
                Case("PUT", "/db/_role/a%2Fb", [:], 400, "invalid name: contains '/', ':', ',', or '`'"),
                Case("PUT", "/db/_role/a%20%22b", [:], 201), Case("GET", "/db/_role/a%20%22b", nil, 200),
            ])
    }

    @Test(.timeLimit(.minutes(1))) func configurationsOfWrongTypes() async throws {
        try await play([
            Case(
                "POST", "/db/_config", ["revs_limit": "x"], 400,
                "Bad JSON: json: cannot unmarshal string into Go struct field DbConfig.revs_limit of type uint64"),
            Case("POST", "/db/_config", ["local_doc_expiry_secs": -1], 400),
            Case("POST", "/db/_config", ["local_doc_expiry_secs": 9_223_372_036_854_775_807], 400),
            Case("POST", "/db/_config", ["disable_password_auth": "yes"], 400),
            Case("POST", "/db/_config", ["users": ["x": [:]]], 400), Case("POST", "/db/_config", ["roles": [:]], 400),
            Case("POST", "/db/_config", ["name": "other"], 400), Case("POST", "/db/_config", ["name": "db"], 201),
            Case("POST", "/db/_config", ["sync": "function(){}"], 400),
            Case("POST", "/db/_config", ["import_filter": "function(){}"], 400),
            Case("PUT", "/made/", ["name": "other"], 400),
            Case("POST", "/db/_resync?action=stop", nil, 400, "Database _resync is not running"),
        ])
    }

    @Test(.timeLimit(.minutes(1))) func sessions() async throws {
        try await play([
            Case("POST", "/db/_session", ["name": "alice", "ttl": "x"], 400),
            Case("POST", "/db/_session", ["name": "alice", "ttl": 1.5], 400),
            Case("POST", "/db/_session", ["name": "alice", "ttl": 9_223_372_036_854_775_807], 200),
            Case("POST", "/db/_session", ["name": "alice", "x": 1], 400),
            Case("POST", "/db/_session", ["name": 7], 400),
            Case("POST", "/db/_session", ["name": "GUEST"], 400, "Invalid or missing user name"),
            Case("PUT", "/db/_user/bob", ["disabled": true], 200),
            Case("POST", "/db/_session", ["name": "bob"], 400, "User is disabled"),
            Case("DELETE", "/db/_session/none", nil, 404), Case("DELETE", "/db/_user/nobody/_session", nil, 200),
        ])
    }

    @Test(.timeLimit(.minutes(1))) func documentsAndAttachments() async throws {
        let document = "\(Self.keyspace)/d"
        let long = String(repeating: "x", count: 251)
        try await play([
            Case("GET", "\(document)?rev=zz", nil, 404, "missing"), Case("GET", "\(document)?rev=", nil, 200),
            Case("GET", "\(document)?rev=&rev=zz", nil, 200),
            Case("GET", "\(document)?open_revs=%5B1%5D", nil, 400, "bad open_revs"),
            Case("GET", "\(document)?attachments=true&atts_since=bad", nil, 400),
            Case("GET", "\(document)?revs=true&revs_from=%5B1%5D", nil, 400),
            Case("GET", "\(Self.keyspace)/\(long)", nil, 400, "Invalid doc ID"),
            Case(
                "PUT", "\(document)?rev=1-a", ["_rev": "1-b"], 400, "Revision IDs provided do not match"),
            Case("DELETE", "\(document)/none?rev=1-a", nil, 404, "Attachment none is not found"),
            Case("DELETE", "\(Self.keyspace)/none/a", nil, 404, "Document specified is not found"),
            Case("PUT", "\(Self.keyspace)/e", ["_exp": -1], 400),
            Case("PUT", "\(Self.keyspace)/e", ["_exp": 1e11], 400),
            Case("PUT", "\(Self.keyspace)/e", ["_attachments": ["a": 1]], 400, "Invalid _attachments"),
            Case(
                "PUT", "\(Self.keyspace)/e", ["_attachments": ["a": ["data": "?"]]], 400,
                "illegal base64 data at input byte 0"),
            Case("POST", "\(Self.keyspace)/_all_docs", ["keys": [1]], 400, "Bad/missing keys"),
            Case("GET", "\(Self.keyspace)/_all_docs?keys=%5B1%5D", nil, 400, "Bad keys"),
            Case(
                "POST", "\(Self.keyspace)/", ["x"], 400,
                "Bad JSON: json: cannot unmarshal array into Go value of type db.Body"),
        ])
    }

    private static let wrongPath = "invalid URL: non UTF-8 encoding in the path"
    private static let wrongQuery = "invalid URL: non UTF-8 encoding in the query"

    /// All of them would be one id: names are bytes. What is UTF-8 is taken, also the character that others would become.
    @Test(.timeLimit(.minutes(1))) func idsThatAreNotUTF8() async throws {
        let wrong = ["a%FF", "a%FE", "a%E9", "%C3", "%C3/a", "a%ED%A0%80", "a%C0%80", "a%F4%90%80%80"]
        let refused = wrong.flatMap { id in
            [
                Case("PUT", "\(Self.keyspace)/\(id)", ["channels": ["north"]], 400, Self.wrongPath),
                Case("GET", "\(Self.keyspace)/\(id)", nil, 400, Self.wrongPath),
                Case("PUT", "\(Self.keyspace)/_local/\(id)", [:], 400, Self.wrongPath),
                Case("GET", "\(Self.keyspace)/d/\(id)", nil, 400, Self.wrongPath),
            ]
        }
        let feed = "\(Self.keyspace)/_changes?filter=sync_gateway/bychannel"
        try await play(
            refused + [
                Case("GET", "\(Self.keyspace)/_all_docs?startkey=%22a%FF%22", nil, 400, Self.wrongQuery),
                Case("GET", "\(feed)&channels=%FE", nil, 400, Self.wrongQuery),
                Case("GET", "/db%FF/d", nil, 400, Self.wrongPath),
                Case("PUT", "\(Self.keyspace)/a%EF%BF%BD", [:], 201), Case("PUT", "\(Self.keyspace)/a%C3%A9", [:], 201),
                Case("PUT", "\(Self.keyspace)/a%F0%9F%98%80", [:], 201),
                Case("GET", "\(Self.keyspace)/_all_docs?startkey=%22%F0%9F%98%80%22", nil, 200),
            ])
    }

    @Test(.timeLimit(.minutes(1))) func feeds() async throws {
        let feed = "\(Self.keyspace)/_changes"
        try await play([
            Case("POST", feed, nil, 400, "Invalid JSON: \"unexpected end of JSON input\""),
            Case("POST", feed, ["limit": "2"], 400), Case("POST", feed, ["heartbeat": "x"], 400),
            Case("POST", feed, ["include_docs": "true"], 400),
            Case("POST", feed, ["filter": "sync_gateway/bychannel", "channels": ["n"]], 400),
            Case("POST", feed, ["filter": "_doc_ids", "doc_ids": []], 400, "Empty doc_ids list"),
        ])
    }

    /// What can name no collection is the client's fault: no error of the gateway's, and no line in its log.
    @Test(.timeLimit(.minutes(1))) func keyspacesOfTooManyParts() async throws {
        try await TestGateway.run { gateway in
            let paths = [
                "/db.a.b.c/d", "/db.a.b.c/_all_docs", "/db.a.b.c/_changes?feed=websocket", "/db.a.b.c.d/d/att",
                "/..../d",
                "/db..c/d", "/.c/d", "/db./d", "/db.a./_all_docs", "/db.a.b.c/", "/db.a.b.c/_session",
                "/db.a.b.c/_blipsync",
            ]
            for path in paths {
                for port in [gateway.publicPort, gateway.adminPort] {
                    let answer = try await RawClient.request("GET", path, port: port)
                    #expect(answer.status == 400, "\(path): \(answer.status) \(answer.text)")
                }
                let written = try await RawClient.request(
                    "PUT", path, port: gateway.publicPort, body: Array("{}".utf8))
                #expect((400..<500).contains(written.status), "\(path): \(written.status)")
            }
            // The one body that is read before anybody has signed in.
            _ = try await TestTeam(gateway)
            let login = try await RawClient.request(
                "POST", "/db/_session", port: gateway.publicPort, headers: [("Content-Encoding", "gzip")],
                body: Array("not gzip".utf8))
            #expect(login.status == 400, "\(login.text)")
            // Nor is it one that somebody asks for what is not offered.
            #expect(try await RawClient.request("GET", "/db/_dump/x", port: gateway.adminPort).status == 501)
            let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
            #expect(metrics.text.contains("sgw_resource_utilization_error_count 0"))
        }
    }
}
