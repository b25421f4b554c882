import Dispatch
import DocumentValues
import Foundation
@testable import GatewayServer
import Testing

/// Requests that were right when they began, of users who may not stay when they go on.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StayTests {
    /// A client that waits in the middle until the test has done something.
    private static func interrupted<Value: Sendable>(
        _ gateway: TestGateway, meanwhile: () async throws -> Void,
        begin: @escaping @Sendable (RawSocket) throws -> Void, end: @escaping @Sendable (RawSocket) throws -> Value
    ) async throws -> Value {
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let isOver = DispatchSemaphore(value: 0)
        async let value = RawClient.onSocket(port: gateway.publicPort) { socket in
            defer { hasBegun.finish() }
            try begin(socket)
            hasBegun.finish()
            isOver.wait()
            return try end(socket)
        }
        for await _ in begun {}
        defer { isOver.signal() }
        try await meanwhile()
        isOver.signal()
        return try await value
    }

    @Test(arguments: ["disabled", "deleted", "session ended", "nothing"])
    func aBodyThatEndsAfterTheStayIsNotStored(how: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let session = try await team.user("alice", "POST", "/db/_session")
            let cookie = try #require(session.header("Set-Cookie")?.split(separator: ";").first)
            let basic = TestTeam.basic("alice")
            let credentials = how == "session ended" ? "Cookie: \(cookie)" : "\(basic.0): \(basic.1)"
            let body = Array(#"{"channels": ["north"], "text": "late"}"#.utf8)
            let answer = try await Self.interrupted(gateway) {
                switch how {
                case "disabled": try await team.expect(200, team.admin("PUT", "/db/_user/alice", ["disabled": true]))
                case "deleted": try await team.expect(200, team.admin("DELETE", "/db/_user/alice"))
                case "session ended":
                    try await team.expect(200, team.admin("DELETE", "/db/_user/alice/_session"))
                default: break
                }
            } begin: { socket in
                let head = [
                    "PUT \(TestTeam.collection)/late HTTP/1.1", "Host: a", "Content-Type: application/json",
                    credentials,
                    "Content-Length: \(body.count)", "Expect: 100-continue", "", "",
                ]
                try socket.send(Array(head.joined(separator: "\r\n").utf8))
                // Then it has been let in.
                #expect(try socket.head().status == 100)
                try socket.send(Array(body.prefix(10)))
            } end: { socket in
                try socket.send(Array(body.dropFirst(10)))
                return try socket.answer(isHead: false)
            }
            #expect(answer.status == (how == "nothing" ? 201 : 401), "\(answer.text)")
            let stored = try await team.admin("GET", "\(TestTeam.collection)/late").status
            #expect(stored == (how == "nothing" ? 200 : 404))
        }
    }

    /// Nobody reads on in a list what was written after their stay.
    @Test(arguments: [
        "_all_docs?", "_changes?", "_changes?feed=longpoll&", "_changes?feed=continuous&",
    ])
    func aListEndsWithTheStay(list: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            // More than the connection takes while nobody reads from it.
            let text = String(repeating: "x", count: 400_000)
            for number in 0..<80 {
                let document: JSONValue = ["channels": ["north"], "text": .string(text)]
                try await team.expect(201, team.admin("PUT", "\(TestTeam.collection)/d\(number)", document))
            }
            let basic = TestTeam.basic("alice")
            let isWhole = try await Self.interrupted(gateway) {
                try await team.expect(200, team.admin("PUT", "/db/_user/alice", ["disabled": true]))
                try await team.expect(201, team.admin("PUT", "\(TestTeam.collection)/zz", ["channels": ["north"]]))
            } begin: { socket in
                let path = "\(TestTeam.collection)/\(list)include_docs=true"
                try socket.send(Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(basic.0): \(basic.1)\r\n\r\n".utf8))
                let head = try socket.head()
                #expect(head.status == 200 && head.isChunked)
                _ = try socket.chunk()
            } end: { socket in
                do {
                    while let chunk = try socket.chunk() {
                        #expect(!String(decoding: chunk, as: UTF8.self).contains(#""id":"zz""#))
                    }
                    return true
                } catch is RawError {
                    return false
                }
            }
            // A continuous feed may also end between two rows: it has no end that a client could miss.
            #expect(!isWhole || list.contains("continuous"))
        }
    }
}
