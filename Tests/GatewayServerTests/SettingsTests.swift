import BLIPProtocol
import BLIPTransport
import DocumentValues
import GatewayServer
import Testing

/// Settings of an administrator, and their effect.
@Suite(.serialized) struct SettingsTests {
    private func configure(_ team: TestTeam, _ settings: JSONValue) async throws {
        try team.expect(201, try await team.admin("POST", "/db/_config", settings))
    }

    @Test(.timeLimit(.minutes(1))) func theGuestIsNotLetInByTheWay() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let access: JSONValue = ["field": ["inspections": ["admin_channels": ["north"]]]]
            try team.expect(200, try await team.admin("PUT", "/db/_user/GUEST", ["collection_access": access]))
            #expect(try await team.admin("GET", "/db/_user/GUEST").json?["disabled"]?.boolValue == true)
            let path = "\(TestTeam.collection)/_changes"
            #expect(try await RawClient.request("GET", path, port: gateway.publicPort).status == 401)
            try team.expect(200, try await team.admin("PUT", "/db/_user/GUEST", ["disabled": false]))
            #expect(try await RawClient.request("GET", path, port: gateway.publicPort).status == 200)
        }
    }

    /// Who ended the guest's access as a user's must not find it open after a change of something else.
    @Test(.timeLimit(.minutes(1))) func theGuestIsNotLetInAgainByAnotherSetting() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let access: JSONValue = ["field": ["inspections": ["admin_channels": ["north"]]]]
            let guest: JSONValue = ["disabled": false, "collection_access": access]
            let path = "\(TestTeam.collection)/_changes"
            func isLetIn() async throws -> Bool {
                try await RawClient.request("GET", path, port: gateway.publicPort).status == 200
            }
            try await configure(team, ["guest": guest])
            #expect(try await isLetIn())
            try team.expect(200, try await team.admin("PUT", "/db/_user/GUEST", ["disabled": true]))
            try await configure(team, ["max_attachment_size_mb": 30])
            #expect(try await !isLetIn())
            let function = try await RawClient.request(
                "PUT", "\(TestTeam.collection)/_config/sync", port: gateway.adminPort,
                headers: [("Content-Type", "application/javascript")],
                body: Array("function(doc){ channel(doc.channels); }".utf8))
            try team.expect(200, function)
            #expect(try await !isLetIn())
            try await configure(team, ["guest": guest])
            #expect(try await isLetIn(), "that is what was asked for")
        }
    }

    @Test(.timeLimit(.minutes(1))) func passwordsAndListsCanBeClosed() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await configure(team, ["disable_public_all_docs": true, "send_www_authenticate_header": false])
            #expect(try await team.user("alice", "GET", "\(TestTeam.collection)/_all_docs").status == 403)
            #expect(try await team.admin("GET", "\(TestTeam.collection)/_all_docs").status == 200)
            let refused = try await RawClient.request("GET", "/db/", port: gateway.publicPort)
            #expect(refused.status == 401 && refused.header("WWW-Authenticate") == nil)
            try await configure(team, ["disable_password_auth": true])
            #expect(try await team.user("alice", "GET", "/db/").status == 401)
            #expect(try await team.user("alice", "POST", "/db/_session").status == 401)
            let session = try await team.admin("POST", "/db/_session", ["name": "alice"])
            let id = try #require(session.json?["session_id"]?.stringValue)
            let entered = try await team.user("alice", "GET", "/db/", headers: [("Cookie", "SyncGatewaySession=\(id)")])
            #expect(entered.status == 200)
        }
    }

    @Test(.timeLimit(.minutes(1))) func theCookieHasTheNameThatWasChosen() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await configure(team, ["session_cookie_name": "fieldwork", "session_cookie_http_only": false])
            let made = try await team.admin("POST", "/db/_session", ["name": "alice"])
            #expect(made.json?["cookie_name"]?.stringValue == "fieldwork")
            let cookie = try await team.user("alice", "POST", "/db/_session").header("Set-Cookie") ?? ""
            #expect(cookie.hasPrefix("fieldwork=") && !cookie.contains("HttpOnly"))
            let id = try #require(made.json?["session_id"]?.stringValue)
            for (name, status) in [("fieldwork", 200), ("SyncGatewaySession", 401)] {
                let answer = try await RawClient.request(
                    "GET", "/db/", port: gateway.publicPort, headers: [("Cookie", "\(name)=\(id)")])
                #expect(answer.status == status, "\(name)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func theCookieIsForPagesFromElsewhereWhereThereAreSome() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let pages: JSONValue = ["origin": ["https://a.example"], "login_origin": ["https://a.example"]]
            let cases: [(JSONValue, String)] = [
                (["session_cookie_secure": false], "HttpOnly"),
                (["session_cookie_secure": true], "HttpOnly; Secure"),
                (["cors": pages], "HttpOnly; Secure; SameSite=None"),
                (["unsupported": ["same_site_cookie": "Lax"]], "HttpOnly; Secure; SameSite=Lax"),
                (["unsupported": ["same_site_cookie": "Default"]], "HttpOnly; Secure"),
                (["session_cookie_secure": false, "unsupported": ["same_site_cookie": nil]], "HttpOnly"),
            ]
            for (settings, end) in cases {
                try await configure(team, settings)
                let cookie = try await team.user("alice", "POST", "/db/_session").header("Set-Cookie") ?? ""
                #expect(cookie.hasSuffix("GMT; \(end)"), "\(cookie)")
            }
            let wrong: JSONValue = ["unsupported": ["same_site_cookie": "lax"]]
            try team.expect(400, try await team.admin("POST", "/db/_config", wrong))
        }
    }

    @Test(.timeLimit(.minutes(1))) func theGuestMayBeAReaderOnly() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let access: JSONValue = ["field": ["inspections": ["admin_channels": ["north"]]]]
            try await configure(
                team,
                [
                    "guest": ["disabled": false, "collection_access": access],
                    "unsupported": ["guest_read_only": true],
                ])
            let path = TestTeam.collection
            try team.expect(201, try await team.admin("PUT", "\(path)/d", ["channels": ["north"]]))
            func guest(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> RawAnswer {
                try await RawClient.request(method, path, port: gateway.publicPort, body: body?.bytes)
            }
            let docs: JSONValue = ["docs": [["id": "d"]]]
            for (method, rest, body) in [
                ("PUT", "/x", [:]), ("POST", "/", [:]), ("DELETE", "/d?rev=1-a", nil), ("POST", "/_bulk_docs", docs),
                ("PUT", "/_local/x", [:]), ("POST", "/_revs_diff", [:]), ("PUT", "/d/file?rev=1-a", [:]),
            ] as [(String, String, JSONValue?)] {
                let answer = try await guest(method, path + rest, body)
                #expect(answer.status == 403 && answer.text.contains("Anonymous access is read-only"), "\(rest)")
            }
            for (method, rest, body) in [
                ("GET", "/d", nil), ("POST", "/_bulk_get", docs), ("POST", "/_changes", [:]),
                ("GET", "/_all_docs", nil),
            ] as [(String, String, JSONValue?)] {
                #expect(try await guest(method, path + rest, body).status == 200, "\(rest)")
            }
            let client = try await HostileSync(gateway, user: nil)
            for profile in ["rev", "putRev"] {
                let refused = try await client.ask(
                    profile, ["collection": "0", "id": "x", "rev": "1-abc"], body: ["channels": ["north"]])
                #expect(refused.status == 403, "\(refused)")
            }
            #expect(try await client.pull(["collection": "0"]).1 == ["d"])
            let alice = try await HostileSync(gateway, user: "alice")
            for (index, profile) in ["rev", "putRev"].enumerated() {
                let stored = try await alice.ask(
                    profile, ["collection": "0", "id": "by\(index)", "rev": "1-abc"], body: ["channels": ["north"]])
                #expect(stored.status == 200, "\(stored)")
            }
            try team.expect(200, try await team.admin("GET", "\(path)/by1"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func whatHoldsIsShownToWhoAsks() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await configure(team, ["revs_limit": 30, "delta_sync": ["enabled": true]])
            let stored = try await team.admin("GET", "/db/_config").json
            #expect(stored?["revs_limit"] == 30 && stored?["allow_conflicts"] == nil)
            let runtime = try await team.admin("GET", "/db/_config?include_runtime=true").json
            #expect(runtime?["revs_limit"] == 30 && runtime?["allow_conflicts"] == false)
            #expect(runtime?["delta_sync"]?["enabled"] == true)
            #expect(runtime?["delta_sync"]?["rev_max_age_seconds"] == 86_400)
            #expect(runtime?["session_cookie_name"] == "SyncGatewaySession")
            #expect(runtime?["scopes"] == stored?["scopes"])
            #expect(
                try await team.admin("GET", "/_config?include_runtime=true").json?["databases"]?["db"] == runtime)
            try team.expect(400, try await team.admin("GET", "/db/_config?redact=false"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func onlySoManySyncAtOnce() async throws {
        try await TestGateway.run({ $0.replication.connections = 1 }) { gateway in
            let team = try await TestTeam(gateway)
            let first = try await HostileSync(gateway, user: "alice")
            do {
                _ = try await HostileSync(gateway, user: "bob")
                Issue.record("A second one was let in")
            } catch let error as TransportError {
                #expect("\(error)".contains("503") && "\(error)".contains("Replication limit exceeded"), "\(error)")
            }
            let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
            #expect(metrics.text.contains(#"sgw_database_num_replications_rejected_limit{database="db"} 1"#))
            // The refused connection is noted as no sign-in, and its password was checked once.
            let signIns = try await team.admin("GET", "/db/_sign_ins").json?["sign_ins"]?.arrayValue ?? []
            #expect(signIns.map { $0["user"]?.stringValue } == ["alice"])
            let numbers = try await team.admin("GET", "/_expvar").json?["syncgateway"]?["per_db"]?["db"]
            #expect(numbers?["security"]?["auth_success_count"] == 2)
            first.connection.abort()
            // Its slot is free once the gateway has noticed; the time limit is the end of timeout.
            while (try? await HostileSync(gateway, user: "bob")) == nil { await Task.yield() }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [(Int32?.none, true), (0, false)])
    func nothingIsCompressedWhereThatIsNotWanted(level: Int32?, isCompressed: Bool) async throws {
        try await TestGateway.run({ $0.replication.compressionLevel = level }) { gateway in
            let team = try await TestTeam(gateway)
            let text = JSONValue.string(String(repeating: "a", count: 1_000))
            try team.expect(
                201, try await team.admin("PUT", "\(TestTeam.collection)/d", ["channels": ["north"], "text": text]))
            let alice = try await HostileSync(gateway, user: "alice")
            #expect(try await alice.pull(["collection": "0"]).1 == ["d"])
            #expect(alice.heardCompressed == isCompressed)
        }
    }

    @Test(.timeLimit(.minutes(1))) func functionsAreSetForWhomeverSawTheLatestConfiguration() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/_config/import_filter"
            func put(_ path: String, _ version: String) async throws -> Int {
                try await RawClient.request(
                    "PUT", path, port: gateway.adminPort,
                    headers: [("Content-Type", "application/javascript"), ("If-Match", "\"\(version)\"")],
                    body: Array("function(doc){}".utf8)
                ).status
            }
            #expect(try await put("\(TestTeam.collection)/_config/sync", "1-old") == 412)
            let version = try await team.admin("GET", path).header("Etag") ?? ""
            #expect(try await put(path, version.filter { $0 != "\"" }) == 200)
            #expect(try await team.admin("GET", path).text == "function(doc){}")
            #expect(try await team.admin("DELETE", path).status == 200)
            #expect(try await team.admin("GET", path).text == "")
        }
    }

    @Test(.timeLimit(.minutes(1))) func scopesAreReplacedAndNotMixed() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let function: JSONValue = ["sync": "function(doc){channel(doc.channels);}"]
            try await configure(team, ["scopes": ["field": ["collections": ["inspections": function]]]])
            #expect(try await team.admin("GET", "/db.field.sites/_all_docs").status == 404)
            #expect(try await team.admin("GET", "\(TestTeam.collection)/_all_docs").status == 200)
            try await configure(team, ["scopes": [:]])
            #expect(try await team.admin("GET", "\(TestTeam.collection)/_all_docs").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(1))) func documentsEndInTime() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let feed = "\(TestTeam.collection)/_changes?feed=longpoll&active_only=false&timeout=20000&since="
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/d", ["_exp": 1]))
            var answer = try await team.admin("GET", "\(feed)0")
            // On a busy machine it may have ended before the first answer.
            if answer.json?["results"]?[0]?["deleted"]?.boolValue != true {
                let last = try #require(answer.json?["last_seq"]?.stringValue)
                answer = try await team.admin("GET", "\(feed)\(last)")
            }
            #expect(answer.json?["results"]?[0]?["deleted"]?.boolValue == true, "\(answer.text)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func sessionsEndWithTheirCookie() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            func ask(_ method: String, _ cookie: String) async throws -> RawAnswer {
                try await RawClient.request(
                    method, "/db/_session", port: gateway.publicPort, headers: [("Cookie", cookie)])
            }
            #expect(try await RawClient.request("DELETE", "/db/_session", port: gateway.publicPort).status == 401)
            #expect(try await ask("DELETE", "SyncGatewaySession=bad").text.contains("Session Invalid"))
            #expect(try await ask("DELETE", "SyncGatewaySession=").text.contains("Session Invalid"))
            let made = try await team.admin("POST", "/db/_session", ["name": "alice"])
            let id = try #require(made.json?["session_id"]?.stringValue)
            try team.expect(200, try await team.admin("GET", "/db/_session/\(id)"))
            try team.expect(200, try await team.admin("PUT", "/db/_user/alice", ["password": "other"]))
            try team.expect(404, try await team.admin("GET", "/db/_session/\(id)"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func aSessionThatIsRenewedSendsItsCookieAgain() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for path in ["/db/_session", "/db/"] {
                // Of a session that is this short every second one is renewed.
                let made = try await team.admin("POST", "/db/_session", ["name": "alice", "ttl": 9])
                let id = try #require(made.json?["session_id"]?.stringValue)
                var cookie: String?
                repeat {
                    let answer = try await RawClient.request(
                        "GET", path, port: gateway.publicPort, headers: [("Cookie", "SyncGatewaySession=\(id)")])
                    try team.expect(200, answer)
                    cookie = answer.header("Set-Cookie")
                } while cookie == nil
                #expect(cookie?.hasPrefix("SyncGatewaySession=\(id); Path=/db; Expires=") == true, "\(path)")
            }
        }
    }
}
