import DocumentValues
import Testing

/// Settings of Sync Gateway that are not offered here are refused by name, and only when they ask for something.
@Suite(.serialized) struct UnsupportedSettingTests {
    @Test(.timeLimit(.minutes(1))) func whatIsNotOfferedIsRefusedByName() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let refused: [(String, JSONValue)] = [
                ("oidc", ["providers": ["a": ["issuer": "https://issuer.example"]]]),
                ("event_handlers", ["document_changed": [["handler": "webhook", "url": "http://a.example"]]]),
                ("replications", ["one": ["direction": "push"]]), ("functions", ["a": ["type": "javascript"]]),
                ("user_xattr_key", "channels"), ("nonsense", 5), ("server", "couchbase://a"), ("password", "x"),
                ("local_jwt", []), ("old_rev_expiry_seconds", -1), ("old_rev_expiry_seconds", 1.5), ("feed_type", 1),
                ("compact_interval_days", "1"), ("client_partition_window_secs", true), ("import_docs", "yes"),
                ("name", 5), ("updated_at", 1), ("auto_import", true),
            ]
            for (key, value) in refused {
                let config: JSONValue = .object(JSONObject(members: [.init(key: key, value: value)]))
                for (method, path) in [("POST", "/db/_config"), ("PUT", "/new/")] {
                    let answer = try await team.admin(method, path, config)
                    #expect(answer.status == 400, "\(method) \(key): \(answer.status)")
                    #expect(answer.text.contains(key), "\(answer.text)")
                }
            }
            let nested: [(String, JSONValue, String)] = [
                ("session_cookie_name", "a b", "session_cookie_name"), ("session_cookie_name", "a=b;", "no client"),
                ("guest", ["disabled": true, "password": "x"], "guest.password"),
                ("guest", ["channels": ["a"]], "channels"), ("cache", ["size": 1], "size"),
                ("unsupported", ["guest_readonly": true], "guest_readonly"),
                ("unsupported", ["guest_read_only": "yes"], "guest_read_only"),
                ("unsupported", ["same_site_cookie": 1], "same_site_cookie"),
                ("unsupported", ["force_api_forbidden_errors": true], "force_api_forbidden_errors"),
                ("logging", ["level": 1], "level"),
                ("scopes", ["field": ["collections": ["inspections": ["synk": ""]]]], "synk"),
                (
                    "scopes", ["field": ["collections": ["inspections": ["import_filter": "function("]]]],
                    "import filter"
                ),
            ]
            for (key, value, word) in nested {
                let config: JSONValue = .object(JSONObject(members: [.init(key: key, value: value)]))
                let answer = try await team.admin("POST", "/db/_config", config)
                #expect(answer.status == 400 && answer.text.contains(word), "\(key): \(answer.text)")
            }
            let harmless: [(String, JSONValue)] = [
                ("allow_conflicts", false), ("allow_conflicts", true), ("oidc", [:]), ("event_handlers", nil),
                ("user_xattr_key", ""),
                ("session_cookie_name", "Mine"), ("session_cookie_name", ""), ("bucket", "b"), ("import_docs", true),
                ("scopes", nil),
                ("functions", [:]), ("password", ""),
                ("compact_interval_days", 0.5), ("unsupported", ["guest_read_only": false]), ("roles", nil),
            ]
            for (key, value) in harmless {
                let config: JSONValue = .object(JSONObject(members: [.init(key: key, value: value)]))
                #expect(try await team.admin("POST", "/db/_config", config).status == 201, "\(key)")
            }
        }
    }
}
