import DocumentValues

extension TestTeam {
    /// A database without scripts: the engine's work is another process's.
    init(growing gateway: TestGateway) async throws {
        try await self.init(gateway)
        let plain: JSONValue = ["sync": "function(doc){channel(doc.channels);}"]
        try await expect(
            201,
            admin(
                "POST", "/db/_config",
                [
                    "scopes": ["field": ["collections": ["inspections": plain, "sites": [:]]]],
                    "delta_sync": ["enabled": true],
                ]))
    }
}

/// What has to be there before something is measured; an administrator makes it.
struct GrowthRequest: Sendable {
    let method: String
    let path: String
    let body: String

    init(_ method: String, path: String, body: String) {
        (self.method, self.path, self.body) = (method, path, body)
    }

    func send(_ team: TestTeam) async throws -> RawAnswer {
        try await RawClient.request(
            method, path, port: team.gateway.adminPort, headers: [("Content-Type", "application/json")],
            body: Array(body.utf8))
    }
}
