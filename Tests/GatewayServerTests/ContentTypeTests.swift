import DocumentValues
import Testing

/// Which bodies have to say that they are JSON.
@Suite(.serialized) struct ContentTypeTests {
    private static let form = "application/x-www-form-urlencoded"

    private func status(
        _ method: String, _ path: String, _ type: String?, _ body: JSONValue, _ port: Int
    ) async throws -> RawAnswer {
        var headers = [TestTeam.basic("alice")]
        if let type { headers.append(("Content-Type", type)) }
        return try await RawClient.request(method, path, port: port, headers: headers, body: body.bytes)
    }

    @Test(.timeLimit(.minutes(1))) func otherTypesThanJSONAreRefusedByName() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let collection = TestTeam.collection
            let requests: [(method: String, path: String, body: JSONValue, port: Int)] = [
                ("PUT", "/other/", [:], gateway.adminPort), ("POST", "/db/_config", [:], gateway.adminPort),
                ("POST", "\(collection)/_bulk_docs", ["docs": []], gateway.publicPort),
                ("POST", "\(collection)/_revs_diff", [:], gateway.publicPort),
                ("POST", "/db/_session", ["name": "alice"], gateway.adminPort),
            ]
            for (method, path, body, port) in requests {
                let refused = try await status(method, path, Self.form, body, port)
                #expect(refused.status == 415, "\(method) \(path)")
                let reason = refused.json?["reason"]?.stringValue
                #expect(reason == "Invalid content type \(Self.form) - expected application/json")
                for type in [nil, "application/json", "application/json; charset=utf-8"] {
                    let answer = try await status(method, path, type, body, port)
                    // The second one finds what the first one made.
                    #expect([200, 201, 412].contains(answer.status), "\(method) \(path) \(answer.status)")
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func documentsAreSentToThoseWhoTakeJSON() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/d"
            try team.expect(201, try await team.admin("PUT", path, ["channels": ["north"]]))
            let wanted = [
                ("text/html", 406), ("text/html, */*", 200), ("application/json", 200), ("text/plain", 406), ("", 200),
                ("application/*", 406),
            ]
            for (type, status) in wanted {
                for query in ["", "?attachments=true"] {
                    let answer = try await team.user("alice", "GET", path + query, headers: [("Accept", type)])
                    #expect(answer.status == status, "\(type) \(query)")
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func documentsAreMultipartForThoseWhoTakeNothingElse() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/d", ["channels": ["north"]]))
            _ = try await team.storeSecret()
            let cases = [
                ("d", "", "multipart/related", "multipart/related"), ("d", "", "multipart/*", "multipart/related"),
                ("d", "?attachments=true", "multipart/related", "multipart/related"),
                ("d", "?attachments=true", "multipart/*, application/json", "application/json"),
                ("d", "?attachments=true", "*/*", "application/json"),
                ("secret", "", "multipart/related, application/json", "application/json"),
                ("secret", "?attachments=true", "*/*", "multipart/related"),
                ("secret", "?attachments=true&atts_since=%5B%221-a%22%5D", "*/*", "multipart/related"),
                ("secret", "?attachments=true", "application/json", "application/json"),
            ]
            for (id, query, accepted, type) in cases {
                let answer = try await RawClient.request(
                    "GET", "\(TestTeam.collection)/\(id)\(query)", port: gateway.adminPort,
                    headers: [("Accept", accepted)])
                #expect(answer.status == 200)
                let found = answer.header("Content-Type") ?? ""
                #expect(found.hasPrefix(type), "\(id)\(query) \(accepted): \(found)")
                #expect(answer.text.contains("\"_id\":\"\(id)\""))
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func aSyncFunctionIsJavaScript() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            func put(_ type: String) async throws -> RawAnswer {
                try await RawClient.request(
                    "PUT", "\(TestTeam.collection)/_config/sync", port: gateway.adminPort,
                    headers: [("Content-Type", type)], body: Array("function(doc){channel('a')}".utf8))
            }
            #expect(try await put("application/javascript").status == 200)
            let refused = try await put("application/json")
            #expect(refused.status == 415)
            #expect(refused.text.contains("Invalid content type application/json - expected application/javascript"))
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["_user/carol", "_role/guard"])
    func usersAndRolesAreTakenUnderAnyType(path: String) async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let answer = try await status("PUT", "/db/\(path)", Self.form, ["password": "pass"], gateway.adminPort)
            #expect(answer.status == 201, "\(answer.text)")
        }
    }
}
