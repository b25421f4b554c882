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
                ("replications", ["one": ["direction": "push"]]), ("user_functions", ["a": ["type": "javascript"]]),
                ("user_xattr_key", "channels"), ("nonsense", 5),
            ]
            for (key, value) in refused {
                let config: JSONValue = .object(JSONObject(members: [.init(key: key, value: value)]))
                for (method, path) in [("POST", "/db/_config"), ("PUT", "/new/")] {
                    let answer = try await team.admin(method, path, config)
                    #expect(answer.status == 400, "\(method) \(key): \(answer.status)")
                    #expect(answer.text.contains(key), "\(answer.text)")
                }
            }
            let harmless: [(String, JSONValue)] = [
                ("allow_conflicts", false), ("allow_conflicts", true), ("oidc", [:]), ("event_handlers", nil),
                ("user_xattr_key", ""),
                ("session_cookie_name", "Mine"), ("bucket", "b"), ("auto_import", true),
            ]
            for (key, value) in harmless {
                let config: JSONValue = .object(JSONObject(members: [.init(key: key, value: value)]))
                #expect(try await team.admin("POST", "/db/_config", config).status == 201, "\(key)")
            }
        }
    }
}
