import DocumentValues
import GatewayServer
import Testing

/// What tools for operators ask for, beside what administrators do.
@Suite(.serialized) struct OperationRouteTests {
    private static func run(
        auditing: Bool = false, _ body: @escaping @Sendable (TestTeam) async throws -> Void
    ) async throws {
        try await TestGateway.run {
            $0.logging.isAuditing = auditing
        } _: { gateway in
            try await body(try await TestTeam(gateway))
        }
    }

    @Test(.timeLimit(.minutes(1))) func noReplicationsAreThere() async throws {
        try await Self.run { team in
            for path in ["/db/_replicationStatus/", "/db/_replicationStatus"] {
                let answer = try await team.admin("GET", path)
                #expect(answer.status == 200 && answer.json == [], "\(path)")
            }
            #expect(try await team.admin("GET", "/db/_replication/").json == [:])
            for (method, path) in [
                ("GET", "_replicationStatus/x"), ("PUT", "_replicationStatus/x?action=start"),
                ("GET", "_replication/x"), ("DELETE", "_replication/x"),
            ] {
                let answer = try await team.admin(method, "/db/\(path)")
                #expect(answer.status == 404 && answer.json?["reason"] == "missing", "\(path)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func theClusterIsThisGateway() async throws {
        try await Self.run { team in
            let version = try await team.admin("GET", "/db/_config").header("Etag")
            let answer = try await team.admin("GET", "/_cluster_info")
            let databases = answer.json?["buckets"]?["db"]?["registry"]?["config_groups"]?["default"]?["databases"]
            #expect(databases?["db"]?["scopes"] == ["field": ["collections": ["inspections", "sites"]]])
            #expect(version?.contains(databases?["db"]?["version"]?.stringValue ?? "none") == true)
            let upgrade = try await team.admin("POST", "/_post_upgrade?preview=true")
            #expect(upgrade.json?["preview"] == true)
            #expect(upgrade.json?["post_upgrade_results"]?["db"]?["removed_indexes"] == [])
            #expect(try await team.admin("GET", "/_sgcollect_info").json == ["status": "stopped"])
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func theAuditLogIsOneForAll(_ isOn: Bool) async throws {
        try await Self.run(auditing: isOn) { team in
            let path = "/db/_config/audit"
            let shown = try await team.admin("GET", path).json
            #expect(shown == ["enabled": .bool(isOn), "events": [:]])
            let requests: [(JSONValue, Int)] = [
                (["enabled": .bool(isOn)], 200), (["enabled": .bool(!isOn)], 501), (["events": ["53280": false]], 501),
                (["enabled": 1], 400), ([], 400),
            ]
            for (request, status) in requests {
                for method in ["PUT", "POST"] {
                    let answer = try await team.admin(method, path, request)
                    #expect(answer.status == status, "\(method) \(request)")
                }
            }
            #expect(try await team.user("alice", "GET", path).status == 404)
        }
    }

    @Test(.timeLimit(.minutes(1))) func whatIsNotOfferedSaysWhy() async throws {
        try await Self.run { team in
            for (method, path) in [
                ("GET", "/_stats"), ("POST", "/_sgcollect_info"), ("GET", "/_debug/pprof/heap"), ("POST", "/db/_flush"),
                ("GET", "/db/_view/channels"), ("PUT", "/db/_design/x"), ("GET", "/db/_design/x/_view/y"),
                ("POST", "/db/_replication/"), ("POST", "/db/_index_init"), ("GET", "/db/_user/alice/_access_history"),
                ("GET", "\(TestTeam.collection)/_channel_history/d"),
            ] {
                let answer = try await team.admin(method, path)
                #expect(answer.status == 501, "\(method) \(path): \(answer.text)")
                #expect((answer.json?["reason"]?.stringValue ?? "").count > 20)
                #expect(try await team.user("alice", method, path).status == 404, "\(method) \(path)")
            }
        }
    }
}
