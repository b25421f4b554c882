import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// What an operator looks at and changes while the gateway runs.
@Suite(.serialized) struct AdminRouteTests {
    @Test(.timeLimit(.minutes(1))) func theConfigurationIsShownAndTheLogLevelSet() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            func level() async throws -> String? {
                try await team.admin("GET", "/_config").json?["logging"]?["console"]?["log_level"]?.stringValue
            }
            let shown = try await team.admin("GET", "/_config?include_runtime=true")
            #expect(shown.json?["api"]?["admin_interface_authentication"] == false)
            #expect(shown.json?["databases"]?["db"]?["scopes"] != nil)
            #expect(try await team.admin("GET", "/_config?redact=false").status == 400)
            let debug: JSONValue = ["logging": ["console": ["log_level": "debug"]]]
            #expect(try await team.admin("PUT", "/_config", debug).status == 200)
            #expect(try await level() == "debug")
            #expect(try await team.admin("PUT", "/_logging?logLevel=none").status == 200)
            #expect(try await level() == "none")
            #expect(try await team.admin("POST", "/_logging?level=2").status == 200)
            #expect(try await level() == "warn")
            #expect(try await team.admin("GET", "/_logging").json == [:])
            let wrong: [(String, JSONValue?)] = [
                ("/_config", ["api": ["public_interface": ":1"]]), ("/_config", ["logging": ["audit": [:]]]),
                ("/_config", ["logging": ["console": ["log_level": "loud"]]]),
                ("/_config", ["logging": ["console": ["log_level": 7]]]), ("/_config", []),
                ("/_logging?logLevel=loud", nil), ("/_logging", nil), ("/_logging", ["logLevel": "debug"]),
                ("/_logging", []),
            ]
            for (path, body) in wrong { #expect(try await team.admin("PUT", path, body).status == 400, "\(path)") }
            #expect(try await level() == "warn")
        }
    }

    @Test(.timeLimit(.minutes(1))) func numbersUnderTheirUsualNames() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.user("alice", "GET", "/db/")
            let numbers = try await team.admin("GET", "/_expvar").json?["syncgateway"]
            #expect((numbers?["global"]?["resource_utilization"]?["uptime"]?.integerValue ?? 0) > 0)
            let database = numbers?["per_db"]?["db"]
            #expect(database?["database"]?["num_public_rest_requests"]?.integerValue == 1)
            #expect(database?["security"]?["auth_success_count"]?.integerValue == 1)
        }
    }

    /// Only what is no JSON is refused as such.
    @Test(.timeLimit(.minutes(1))) func whatIsTooLargeIsNotPurgedForThat() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/_purge"
            func purge(_ body: String) async throws -> RawAnswer {
                try await RawClient.request(
                    "POST", path, port: gateway.adminPort, headers: [("Content-Type", "application/json")],
                    body: Array(body.utf8))
            }
            try team.expect(400, try await purge("nothing"))
            try team.expect(400, try await purge("[]"))
            let values = String(repeating: "0,", count: GatewayServerLimits.bodyValues)
            try team.expect(413, try await purge("{\"a\":[\(values)0]}"))
        }
    }

    /// Two functions that differ in what is no text would be the same one.
    @Test(.timeLimit(.minutes(1))) func aFunctionIsInUTF8() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let notUTF8 = Array("function (doc) { channel(\"".utf8) + [0xFF] + Array("\"); }".utf8)
            let before = try await team.admin("GET", "\(TestTeam.collection)/_config/sync").text
            // A file that is not there is sent as nothing, and would take the rules away.
            for body in [notUTF8, [], Array(" \n".utf8)] {
                let answer = try await RawClient.request(
                    "PUT", "\(TestTeam.collection)/_config/sync", port: gateway.adminPort,
                    headers: [("Content-Type", "application/javascript")], body: body)
                try team.expect(400, answer)
                #expect(try await team.admin("GET", "\(TestTeam.collection)/_config/sync").text == before)
            }
        }
    }

    /// Who changes a user by what they have read notices that somebody else was faster.
    @Test(.timeLimit(.minutes(1)), arguments: [("_user", "alice"), ("_role", "crew")])
    func aUserIsChangedOnlyAsTheyWereRead(kind: String, name: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/db/_role/crew", [:]))
            let path = "/db/\(kind)/\(name)"
            func put(_ body: JSONValue, ifMatch: String?) async throws -> Int {
                try await RawClient.request(
                    "PUT", path, port: gateway.adminPort, headers: ifMatch.map { [("If-Match", $0)] } ?? [],
                    body: body.bytes
                ).status
            }
            let read = try #require(try await team.admin("GET", path).header("Fieldbook-Version"))
            #expect(try await put(["admin_channels": ["x"]], ifMatch: read) == 200)
            #expect(try await put(["admin_channels": ["y"]], ifMatch: read) == 412)
            let now = try #require(try await team.admin("GET", path).header("Fieldbook-Version"))
            #expect(now != read)
            #expect(try await put(["admin_channels": ["y"]], ifMatch: now) == 200)
            // Sync Gateway asks for no version.
            #expect(try await put(["admin_channels": ["z"]], ifMatch: nil) == 200)
        }
    }

    /// Of two who make somebody of one name, the second one hears of it.
    @Test(.timeLimit(.minutes(1)), arguments: ["_user", "_role"])
    func aUserIsMadeOnlyWhereThereIsNone(kind: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            func make(_ name: String) async throws -> Int {
                let body: JSONValue = kind == "_user" ? ["password": "letmein"] : [:]
                return try await RawClient.request(
                    "PUT", "/db/\(kind)/\(name)", port: gateway.adminPort, headers: [("If-None-Match", "*")],
                    body: body.bytes
                ).status
            }
            #expect(try await make("new") == 201)
            #expect(try await make("new") == 412)
            try await team.expect(200, team.admin("DELETE", "/db/\(kind)/new"))
            #expect(try await make("new") == 201, "who was deleted is none")
        }
    }

    /// What a command read is looked at again where somebody else came between, also where there was nobody.
    @Test(.timeLimit(.minutes(1))) func aCommandMakesNobodyAgain() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            var configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            configuration.adminInterface.port = gateway.adminPort
            let database = AdminDatabase("db", client: try AdminClient(configuration))
            var found: [JSONObject?] = []
            try await database.update(.user, principal: "jo") { present in
                found.append(present)
                guard present == nil else { return nil }
                // Somebody else is faster.
                try await team.expect(
                    201, team.admin("PUT", "/db/_user/jo", ["password": "theirs", "admin_channels": ["north"]]))
                return ["password": "ours"]
            }
            #expect(found.count == 2 && found.first == .some(nil))
            let user = try await team.admin("GET", "/db/_user/jo").json
            #expect(user?["admin_channels"] == ["north"])
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [("", "docs_purged"), ("?type=attachment", "purged_attachments")])
    func compactionGivesDiskBack(query: String, member: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let before = try await team.admin("GET", "/db/_compact\(query)").json
            #expect(before?["start_time"] == "0001-01-01T00:00:00Z" && before?["status"] == "completed")
            let path = "\(TestTeam.collection)/d"
            let bytes = [UInt8](repeating: 7, count: 4 << 20)
            let headers = [("Content-Type", "text/plain")]
            let put = try await RawClient.request(
                "PUT", "\(path)/f", port: gateway.adminPort, headers: headers, body: bytes)
            let revision = try #require(put.json?["rev"]?.stringValue)
            #expect(try await team.admin("DELETE", "\(path)?rev=\(revision)").status == 200)
            let begun = try await team.admin("POST", "/db/_compact\(query)").json
            #expect(begun?["status"] == "running" && begun?[member] == 0)
            var now = begun
            while now?["status"] == "running" { now = try await team.admin("GET", "/db/_compact\(query)").json }
            #expect(now?["status"] == "completed" && now?["last_error"] == "")
            #expect(now?["start_time"] == begun?["start_time"])
            // Only what is asked for goes before its time.
            let file = gateway.folder.appendingPathComponent("db/gateway.sqlite3").path
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
            #expect(query.isEmpty || size < 1 << 20, "\(size)")
            #expect(now?["purged_attachments"]?.integerValue == (query.isEmpty ? nil : 1))
            #expect(
                try await team.admin("POST", "/db/_compact\(query.isEmpty ? "?" : query + "&")action=stop").status
                    >= 400)
            #expect(try await team.admin("POST", "/db/_compact?action=x").status == 400)
            #expect(try await team.admin("GET", "/db/_compact?type=x").status == 400)
            #expect(try await team.admin("POST", "/db/_offline").status == 200)
            #expect(try await team.admin("POST", "/db/_compact\(query)").status == 503)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aChannelIsShownAsAPage() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/%3Cb%3E&"
            let first = try await team.admin("PUT", path, ["channels": ["north"]])
            let revision = try #require(first.json?["rev"]?.stringValue)
            let second = try await team.admin("PUT", "\(path)?rev=\(revision)", ["channels": ["south"]])
            let other = try #require(second.json?["rev"]?.stringValue)
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/e", ["channels": ["north"]]))
            let page = try await team.admin("GET", "\(TestTeam.collection)/_dumpchannel/north")
            #expect(page.header("Content-Type") == #"text/html; charset="UTF-8""#)
            #expect(page.text.contains("<td>&lt;b&gt;&amp;</td><td>\(other)</td><td>00000010</td>"), "\(page.text)")
            #expect(page.text.contains("<td>e</td>") && !page.text.contains("<b>"))
            #expect(try await team.admin("GET", "\(TestTeam.collection)/_dumpchannel/none").status == 404)
            let asUser = try await team.user("alice", "GET", "\(TestTeam.collection)/_dumpchannel/north")
            #expect(asUser.status == 404)
        }
    }
}
