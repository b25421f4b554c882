import BLIPProtocol
import BLIPTransport
import DocumentValues
import GatewayServer
import Testing

/// Each number is read after that was done which it counts.
@Suite(.serialized) struct MetricsTests {
    private static let keyspace = TestTeam.collection
    private static let database = #"{database="db"}"#
    private static let inspections = #"{collection="field.inspections",database="db"}"#
    private static let sites = #"{collection="field.sites",database="db"}"#
    private static let document: JSONValue = ["channels": ["north"]]

    private func lines(_ gateway: TestGateway) async throws -> [String] {
        let answer = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
        #expect(answer.status == 200)
        return answer.text.split(separator: "\n").map(String.init)
    }

    /// Those of these lines that are missing.
    private func missing(_ expected: [String], _ gateway: TestGateway) async throws -> [String] {
        let lines = try await lines(gateway)
        return expected.filter { !lines.contains("sgw_\($0)") }
    }

    private func refuse(_ team: TestTeam) async throws {
        let function = """
            function(doc) { if (doc.a) requireAccess("none"); if (doc.b) requireAdmin(); if (doc.c) doc.x.y();
            if (doc.d) throw({forbidden: "no"}); channel(doc.channels); }
            """
        let answer = try await RawClient.request(
            "PUT", "\(Self.keyspace)/_config/sync", port: team.gateway.adminPort,
            headers: [("Content-Type", "application/javascript")], body: Array(function.utf8))
        try team.expect(200, answer)
        for (name, status) in [("a", 403), ("b", 403), ("c", 500), ("d", 403)] {
            let document = JSONValue.object([name: true])
            try team.expect(status, try await team.user("alice", "PUT", "\(Self.keyspace)/no-\(name)", document))
        }
    }

    @Test(.timeLimit(.minutes(1))) func documentsThatAreWritten() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.user("alice", "PUT", "\(Self.keyspace)/d", Self.document))
            try team.expect(201, try await team.admin("PUT", "/db.field.sites/s", Self.document))
            var large = Self.document.objectValue ?? [:]
            large["_attachments"] = ["a": ["data": "aGVsbG8="], "b": ["data": "aGVsbG8gdw=="]]
            try team.expect(201, try await team.user("alice", "PUT", "\(Self.keyspace)/e", .object(large)))
            try await refuse(team)
            let size = Self.document.bytes.count
            #expect(
                try await missing(
                    [
                        "database_num_doc_writes\(Self.database) 3",
                        "database_doc_writes_bytes\(Self.database) \(3 * size)",
                        "collection_num_doc_writes\(Self.inspections) 2", "collection_num_doc_writes\(Self.sites) 1",
                        "collection_doc_writes_bytes\(Self.inspections) \(2 * size)",
                        // The default function is not counted.
                        "database_sync_function_count\(Self.database) 6",
                        "collection_sync_function_count\(Self.inspections) 6",
                        "collection_sync_function_count\(Self.sites) 0",
                        "database_sync_function_exception_count\(Self.database) 1",
                        "collection_sync_function_exception_count\(Self.inspections) 1",
                        "security_num_docs_rejected\(Self.database) 3", "security_num_access_errors\(Self.database) 2",
                        "collection_sync_function_reject_count\(Self.inspections) 3",
                        "collection_sync_function_reject_access_count\(Self.inspections) 2",
                        "replication_push_attachment_push_count\(Self.database) 2",
                        "replication_push_attachment_push_bytes\(Self.database) 12",
                        // That the function failed is worth a warning, and the request that failed an error.
                        "resource_utilization_warn_count 1", "resource_utilization_error_count 1",
                    ], gateway) == [])
            let times = try await lines(gateway).filter { $0.hasPrefix("sgw_database_sync_function_time{") }
            #expect(times.count == 1 && times[0] != "sgw_database_sync_function_time\(Self.database) 0")
            let status = try await team.admin("GET", "/db/").json?["update_seq"]?.integerValue ?? -1
            #expect(
                try await missing(["database_last_sequence_assigned_value\(Self.database) \(status)"], gateway) == [])
        }
    }

    @Test(.timeLimit(.minutes(1))) func deletionsListsAndResyncs() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for name in ["d", "e"] {
                try team.expect(201, try await team.admin("PUT", "\(Self.keyspace)/\(name)", Self.document))
            }
            let revision = try await team.admin("GET", "\(Self.keyspace)/d").json?["_rev"]?.stringValue ?? ""
            try team.expect(200, try await team.admin("DELETE", "\(Self.keyspace)/d?rev=\(revision)"))
            try team.expect(200, try await team.user("alice", "GET", "\(Self.keyspace)/_all_docs"))
            try team.expect(200, try await team.admin("GET", "\(Self.keyspace)/_all_docs"))
            let set = try await RawClient.request(
                "PUT", "\(Self.keyspace)/_config/sync", port: gateway.adminPort,
                headers: [("Content-Type", "application/javascript")],
                body: Array("function(doc) { if (!doc._deleted) channel('south'); }".utf8))
            try team.expect(200, set)
            try team.expect(200, try await team.admin("POST", "/db/_offline"))
            try team.expect(200, try await team.admin("POST", "/db/_resync?action=start"))
            let expected = [
                "database_tombstone_count\(Self.database) 1",
                "database_num_public_all_docs_requests\(Self.database) 1",
                "database_resync_num_processed\(Self.database) 2", "database_resync_num_changed\(Self.database) 1",
                "collection_resync_num_processed\(Self.inspections) 2",
            ]
            while try await !missing(expected, gateway).isEmpty { await Task.yield() }
        }
    }

    @Test(.timeLimit(.minutes(1))) func documentsThatAreRead() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            var document = Self.document.objectValue ?? [:]
            document["_attachments"] = ["a": ["data": "aGVsbG8="]]
            try team.expect(201, try await team.user("alice", "PUT", "\(Self.keyspace)/d", .object(document)))
            let path = "\(Self.keyspace)/d"
            try team.expect(200, try await team.user("alice", "GET", path))
            try team.expect(404, try await team.user("alice", "GET", "\(Self.keyspace)/none"))
            let json = [("Accept", "application/json")]
            try team.expect(200, try await team.user("alice", "GET", "\(path)?open_revs=all", headers: json))
            let wanted: JSONValue = ["docs": [["id": "d"], ["id": "none"]]]
            try team.expect(200, try await team.user("alice", "POST", "\(Self.keyspace)/_bulk_get", wanted))
            try team.expect(200, try await team.user("alice", "GET", "\(path)/a"))
            try team.expect(200, try await team.user("alice", "HEAD", "\(path)/a"))
            try team.expect(206, try await team.user("alice", "GET", "\(path)/a", headers: [("Range", "bytes=0-1")]))
            #expect(
                try await missing(
                    [
                        "database_num_doc_reads_rest\(Self.database) 3",
                        "database_num_doc_reads_blip\(Self.database) 0",
                        "collection_num_doc_reads\(Self.inspections) 3",
                        "collection_doc_reads_bytes\(Self.inspections) \(3 * Self.document.bytes.count)",
                        "replication_pull_attachment_pull_count\(Self.database) 2",
                        "replication_pull_attachment_pull_bytes\(Self.database) 7",
                    ], gateway) == [])
        }
    }

    @Test(.timeLimit(.minutes(1))) func whatIsSynced() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let client = try await HostileSync(gateway, user: "alice")
            #expect(try await client.push("a", "1-a", Self.document).status == 200)
            #expect(try await client.push("b", "1-b", Self.document).status == 200)
            let loop: JSONValue = ["channels": 5, "loop": false]
            #expect(try await client.push("loop", "1-c", loop).status == 200)
            let proposed: JSONValue = [["c", "1-c"], ["a", "1-a"]]
            #expect(try await client.ask("proposeChanges", ["collection": "0"], body: proposed).status == 200)
            let refused = try await client.push("x", "0-x", Self.document)
            #expect(refused.status != 200)
            #expect(try await client.push("a", "1-other", Self.document).status == 409)
            #expect(try await client.pull(["collection": "0"]).1.sorted() == ["a", "b"])
            let size = Self.document.bytes.count
            let expected = [
                "replication_push_doc_push_count\(Self.database) 3",
                "replication_push_doc_push_error_count\(Self.database) 2",
                "replication_push_propose_change_count\(Self.database) 2",
                "replication_pull_rev_send_count\(Self.database) 2", "database_num_doc_reads_blip\(Self.database) 2",
                "database_doc_reads_bytes_blip\(Self.database) \(2 * size)",
                // Of what was stored and of the conflict.
                "database_doc_writes_bytes_blip\(Self.database) \(3 * size + loop.bytes.count)",
                "replication_pull_num_pull_repl_since_zero\(Self.database) 1",
                "replication_pull_num_pull_repl_total_caught_up\(Self.database) 0",
                "collection_num_doc_reads\(Self.inspections) 2",
                "replication_pull_num_pull_repl_total_one_shot\(Self.database) 1",
                "replication_pull_num_pull_repl_active_one_shot\(Self.database) 0",
                "replication_pull_num_pull_repl_active_continuous\(Self.database) 0",
            ]
            // The gateway hears of the answers to the last revisions a moment later.
            while try await !missing(expected, gateway).isEmpty { await Task.yield() }
            #expect(try await client.pull(["collection": "0", "continuous": "true"]).1.count == 2)
            let goingOn = [
                "replication_pull_num_pull_repl_total_continuous\(Self.database) 1",
                "replication_pull_num_pull_repl_active_continuous\(Self.database) 1",
                "replication_pull_num_pull_repl_caught_up\(Self.database) 1",
                "replication_pull_num_pull_repl_total_caught_up\(Self.database) 1",
                "replication_pull_num_pull_repl_since_zero\(Self.database) 2",
            ]
            // It begins to wait, and the gateway hears of an end, soon; the time limit is the end of timeout.
            while try await !missing(goingOn, gateway).isEmpty { await Task.yield() }
            client.connection.abort()
            let over = [
                "replication_pull_num_pull_repl_active_continuous\(Self.database) 0",
                "replication_pull_num_pull_repl_caught_up\(Self.database) 0",
            ]
            while try await !missing(over, gateway).isEmpty { await Task.yield() }
            try team.expect(200, try await team.user("alice", "GET", "\(Self.keyspace)/a"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func attachmentsThatAreSynced() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.storeSecret()
            let client = try await HostileSync(gateway, user: "bob")
            // Attachments are given out for as long as their revision is not answered.
            client.ignores("rev")
            _ = try await client.pull(["collection": "0"])
            try await client.hears("rev")
            let digest = BlobDigest(of: Array("TOPSECRET-BYTES".utf8)).text
            let answer = try await client.ask(
                "getAttachment", ["collection": "0", "digest": digest, "docID": "secret"])
            #expect(answer.text == "TOPSECRET-BYTES")
            #expect(
                try await missing(
                    [
                        "replication_pull_attachment_pull_count\(Self.database) 1",
                        "replication_pull_attachment_pull_bytes\(Self.database) 15",
                        "replication_push_attachment_push_count\(Self.database) 1",
                    ], gateway) == [])
        }
    }

    /// The same numbers as JSON, on the admin port and beside the metrics.
    @Test(.timeLimit(.minutes(1))) func numbersAsJSON() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.user("alice", "PUT", "\(Self.keyspace)/d", Self.document))
            for port in [gateway.adminPort, gateway.metricsPort] {
                let answer = try await RawClient.request("GET", "/_expvar", port: port)
                try team.expect(200, answer)
                let numbers = answer.json?["syncgateway"]?["per_db"]?["db"]
                #expect(numbers?["database"]?["num_doc_writes"] == 1)
                #expect(numbers?["database"]?["num_public_rest_requests"] == 1)
                #expect(numbers?["security"]?["num_docs_rejected"] == 0)
                #expect(numbers?["security"]?["auth_success_count"] == 1)
                #expect(numbers?["cbl_replication_push"]?["doc_push_count"] == 0)
                #expect(numbers?["cbl_replication_pull"]?["rev_send_count"] == 0)
                #expect(numbers?["per_collection"]?["field.inspections"]?["num_doc_writes"] == 1)
                #expect(numbers?["per_collection"]?["field.sites"]?["num_doc_writes"] == 0)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func everyNumberIsExplained() async throws {
        try await TestGateway.run({ $0.metricsAuthentication = true }) { gateway in
            let answer = try await RawClient.request("GET", "/_ping", port: gateway.metricsPort)
            #expect(answer.status == 200 && answer.text == "OK")
            for path in ["/metrics", "/_metrics", "/_expvar"] {
                #expect(try await RawClient.request("GET", path, port: gateway.metricsPort).status == 401, "\(path)")
            }
        }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let lines = try await lines(gateway)
            let names = lines.filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "{" && $0 != " " }) }
            for name in Set(names) {
                #expect(lines.filter { $0.hasPrefix("# HELP \(name) ") }.count == 1, "\(name)")
                #expect(lines.filter { $0.hasPrefix("# TYPE \(name) ") }.count == 1, "\(name)")
            }
            #expect(Set(names).count > 40)
        }
    }
}
