import DocumentValues
import Foundation
import GatewayServer
import Testing

/// Clients that wait for changes, and some that disconnect in that time.
@Suite(.serialized) struct WaitingClientTests {
    @Test(.timeLimit(.minutes(1)), arguments: ["longpoll", "continuous"])
    func theGatewayOutlivesOneWhoAskedWithABody(feed: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let body: JSONValue = ["feed": .string(feed)]
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/a", ["channels": ["north"]]))
            for since in ["0", "100"] {
                for _ in 0..<3 {
                    try await leave(
                        "POST", "\(TestTeam.collection)/_changes?since=\(since)", body.bytes, gateway.adminPort)
                    try await leave(
                        "GET", "\(TestTeam.collection)/_changes?feed=\(feed)&since=\(since)", [], gateway.adminPort)
                }
            }
            try team.expect(200, try await team.admin("GET", "/db/"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func aFeedAskedForWithABodyEndsInTime() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for _ in 0..<5 {
                let body: JSONValue = ["feed": "longpoll", "since": 100, "timeout": 10]
                let answer = try await team.admin("POST", "\(TestTeam.collection)/_changes", body)
                #expect(answer.json?["last_seq"]?.stringValue == "100")
            }
        }
    }

    /// As the connections of sync clients do.
    @Test(.timeLimit(.minutes(1)), arguments: ["disabled", "deleted"])
    func aFeedEndsWhenItsReaderIsNotWelcomeAnyMore(how: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = TestTeam.collection
            let head = "Host: 127.0.0.1\r\nAuthorization: \(TestTeam.basic("alice").1)\r\n\r\n"
            let text = try await RawClient.onSocket(port: gateway.publicPort) { socket -> String in
                try socket.send(Array("GET \(path)/_changes?feed=continuous HTTP/1.1\r\n\(head)".utf8))
                _ = try socket.head()
                var text = String(decoding: try socket.chunk() ?? [], as: UTF8.self)
                let requests = [
                    how == "disabled"
                        ? ("PUT", "/db/_user/alice", #"{"disabled":true}"#) : ("DELETE", "/db/_user/alice", ""),
                    ("PUT", "\(path)/later", #"{"channels":["north"]}"#),
                ]
                for (method, target, body) in requests {
                    let other = try RawSocket(port: gateway.adminPort)
                    let rest =
                        "Connection: close\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
                    let head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(rest)\r\n\r\n"
                    try other.send(Array((head + body).utf8))
                    #expect(try other.head().status < 300)
                }
                while let chunk = try socket.chunk() { text += String(decoding: chunk, as: UTF8.self) }
                return text
            }
            #expect(!text.contains("later"), "\(text)")
            _ = team
        }
    }

    /// Without any change that a row would show.
    @Test(.timeLimit(.minutes(1)), arguments: ["longpoll", "continuous"], ["an administrator", "a session"])
    func anOpenFeedEndsWithItsAuthorization(feed: String, of reader: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feeds-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["ann", "root"] { try Administrators.set(name, password: "rootpass", storage: folder.path) }
        try await TestGateway.run {
            $0.adminAuthentication = reader == "an administrator"
            $0.storagePath = folder.path
        } _: { gateway in
            let root = TestTeam.basic("root", "rootpass")
            let team = try await TestTeam(gateway, as: root)
            let login: (name: String, value: String)
            if reader == "an administrator" {
                login = TestTeam.basic("ann", "rootpass")
            } else {
                let answer = try await team.user("alice", "POST", "/db/_session")
                let cookie = try #require(answer.header("Set-Cookie")?.split(separator: ";").first)
                login = ("Cookie", String(cookie))
            }
            let port = reader == "an administrator" ? gateway.adminPort : gateway.publicPort
            let target = "\(TestTeam.collection)/_changes?feed=\(feed)&since=100&timeout=0"
            let head = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(login.name): \(login.value)\r\n\r\n"
            let (opened, isOpen) = AsyncStream<Int>.makeStream()
            async let text = RawClient.onSocket(port: port, limit: 20) { socket -> String in
                try socket.send(Array(head.utf8))
                isOpen.yield(try socket.head().status)
                isOpen.finish()
                var text = ""
                while let chunk = try socket.chunk() { text += String(decoding: chunk, as: UTF8.self) }
                return text
            }
            for await status in opened { #expect(status == 200) }
            if reader == "an administrator" {
                try Administrators.remove("ann", storage: folder.path)
            } else {
                let id = login.value.split(separator: "=").last ?? ""
                try await team.expect(200, team.admin("DELETE", "/db/_session/\(id)"))
            }
            let start = ContinuousClock.now
            let rest = try await text
            #expect(start.duration(to: .now) < .seconds(10))
            #expect(feed == "continuous" || rest.contains(#""last_seq":"100""#), "\(rest)")
        }
    }

    /// A client that asks again finds out what became of it.
    @Test(.timeLimit(.minutes(1)), arguments: ["longpoll", "continuous"], ["_offline", "_config", ""])
    func aFeedEndsWellWhenTheDatabaseChanges(feed: String, change: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/_changes?feed=\(feed)&since=50"
            let answer = try await RawClient.onSocket(port: gateway.adminPort) { socket -> RawAnswer in
                try socket.send(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
                var answer = try socket.head()
                if feed == "continuous" { answer.body += try socket.chunk() ?? [] }
                let method = change.isEmpty ? "DELETE" : "POST"
                let rest = "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                let other = try RawSocket(port: gateway.adminPort)
                try other.send(Array("\(method) /db/\(change) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(rest)".utf8))
                _ = try other.head()
                while let chunk = try socket.chunk() { answer.body += chunk }
                return answer
            }
            #expect(answer.status == 200)
            if feed == "longpoll" { #expect(answer.json?["last_seq"]?.stringValue == "50", "\(answer.text)") }
            _ = team
        }
    }

    /// `active_only` leaves out what was deleted before; who has caught up wants to know of all that follows.
    @Test(.timeLimit(.minutes(1))) func whoHasCaughtUpHearsOfDeletions() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/d"
            let made = try await team.admin("PUT", path, ["channels": ["north"]])
            let revision = try #require(made.json?["rev"]?.stringValue)
            let feed =
                "GET \(TestTeam.collection)/_changes?feed=continuous&active_only=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            let delete = "DELETE \(path)?rev=\(revision) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            let lines = try await RawClient.onSocket(port: gateway.adminPort) { socket -> [String] in
                try socket.send(Array(feed.utf8))
                // The connection ends with the feed; a client that keeps connections has to know.
                guard try socket.head().header("Connection") == "close" else { return [] }
                var text = ""
                // An empty line says that there is no more for now.
                while !text.hasSuffix("\n\n") { text += String(decoding: try socket.chunk() ?? [], as: UTF8.self) }
                let other = try RawSocket(port: gateway.adminPort)
                try other.send(Array(delete.utf8))
                _ = try other.head()
                while !text.contains("deleted") { text += String(decoding: try socket.chunk() ?? [], as: UTF8.self) }
                return text.split(separator: "\n").map(String.init)
            }
            #expect(lines.count == 2, "\(lines)")
        }
    }

    /// Asks, waits for the head of the answer, and closes the connection.
    private func leave(_ method: String, _ target: String, _ body: [UInt8], _ port: Int) async throws {
        let head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.count)\r\n\r\n"
        try await RawClient.onSocket(port: port) { socket in
            try socket.send(Array(head.utf8) + body)
            _ = try socket.head()
        }
    }
}
