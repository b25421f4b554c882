import DocumentValues
import Testing

/// What an administrator sets, and what comes of it.
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
            try await configure(team, ["scopes": ["field": ["collections": ["inspections": [:]]]]])
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
            let first = try await team.admin("GET", "\(feed)0")
            let last = try #require(first.json?["last_seq"]?.stringValue)
            let ended = try await team.admin("GET", "\(feed)\(last)")
            #expect(ended.json?["results"]?[0]?["deleted"]?.boolValue == true, "\(ended.text)")
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
}
