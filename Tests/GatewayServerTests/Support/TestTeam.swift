import DocumentValues
import Foundation
import Testing

/// A database with two users who see different channels, and the requests that tests make of it.
struct TestTeam: Sendable {
    static let collection = "/db.field.inspections"

    let gateway: TestGateway
    /// The credentials at the admin port; `nil` where it asks for none.
    private let administrator: (String, String)?

    /// alice sees north, bob sees south.
    init(_ gateway: TestGateway, as administrator: (String, String)? = nil) async throws {
        self.gateway = gateway
        self.administrator = administrator
        let function = "function(doc, oldDoc){ if (doc.loop) while (true) {} channel(doc.channels); }"
        let collections: JSONValue = ["inspections": ["sync": .string(function)], "sites": [:]]
        try await expect(201, admin("PUT", "/db/", ["scopes": ["field": ["collections": collections]]]))
        for (name, channel) in [("alice", "north"), ("bob", "south")] {
            let access: JSONValue = ["field": ["inspections": ["admin_channels": [.string(channel)]]]]
            try await expect(
                201, admin("PUT", "/db/_user/\(name)", ["password": "pass", "collection_access": access]))
        }
    }

    /// Where nothing has been made yet.
    init(of gateway: TestGateway) {
        self.gateway = gateway
        administrator = nil
    }

    func expect(_ status: Int, _ answer: RawAnswer) throws {
        try #require(answer.status == status, "\(answer.status) \(answer.text)")
    }

    func admin(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> RawAnswer {
        let headers = [("Content-Type", "application/json")] + (administrator.map { [$0] } ?? [])
        return try await RawClient.request(
            method, path, port: gateway.adminPort, headers: headers, body: body?.bytes)
    }

    func user(
        _ name: String, _ method: String, _ path: String, _ body: JSONValue? = nil, headers: [(String, String)] = []
    ) async throws -> RawAnswer {
        try await RawClient.request(
            method, path, port: gateway.publicPort, headers: [Self.basic(name)] + headers, body: body?.bytes)
    }

    static func basic(_ name: String, _ password: String = "pass") -> (String, String) {
        ("Authorization", "Basic \(Base64.encode(Array("\(name):\(password)".utf8)))")
    }

    /// Stores a document of bob's, with an attachment; returns its revision.
    func storeSecret(_ id: String = "secret") async throws -> String {
        let attachments: JSONValue = [
            "plan.txt": ["content_type": "text/plain", "data": .string(Base64.encode(Array("TOPSECRET-BYTES".utf8)))]
        ]
        let body: JSONValue = ["channels": ["south"], "text": "TOPSECRET-TEXT", "_attachments": attachments]
        let answer = try await admin("PUT", "\(Self.collection)/\(id)", body)
        try expect(201, answer)
        return try #require(answer.json?["rev"]?.stringValue)
    }
}
