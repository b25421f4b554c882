import BLIPProtocol
import BLIPTransport
import DocumentValues
import Foundation
import NIOCore
import Testing

@testable import GatewayServer

/// Unfinished work is on its user's account, and has a time limit: others are served.
@Suite(.serialized, .timeLimit(.minutes(3))) struct UnfinishedWorkTests {
    private static let path = TestTeam.collection

    /// What is on its way in, in `memory` or in the `storage`.
    private func unfinished(_ where: String, _ gateway: TestGateway) async throws -> Int {
        let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
        let name = "fieldbook_gateway_unfinished_bytes{in=\"\(`where`)\"} "
        let line = metrics.text.split(separator: "\n").first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }

    private func wait(
        _ where: String, _ gateway: TestGateway, until condition: (Int) -> Bool
    ) async throws {
        while try await !condition(unfinished(`where`, gateway)) {}
    }

    // MARK: Sync messages

    /// A sync connection of which the test makes every byte.
    private func syncSocket(_ user: String, _ gateway: TestGateway) throws -> RawSocket {
        let socket = try RawSocket(port: gateway.publicPort, limit: 60)
        let login = TestTeam.basic(user)
        try socket.send(
            Array(
                ("GET /db/_blipsync HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "\(login.0): \(login.1)\r\nSec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n").utf8))
        #expect(try socket.head().status == 101)
        return socket
    }

    /// All of a message of that size but for its last frame, as a client sends it that heeds no acknowledgements.
    private func beginning(_ size: Int, isCompressed: Bool = false) throws -> [UInt8] {
        var limits = BLIPLimits()
        limits.flow.stallBytes = .max
        var engine = BLIPEngine(limits: limits)
        let request = BLIPRequest(
            properties: ["Profile": "rev", "id": "z", "rev": "1-a"],
            body: .bytes([UInt8](repeating: UInt8(ascii: " "), count: size)), isCompressed: isCompressed)
        try engine.enqueue(.request(request, tag: 1))
        var frames: [ByteBuffer] = []
        while let frame = try engine.nextFrame() { frames.append(frame) }
        return frames.dropLast().flatMap { frame -> [UInt8] in
            let count = frame.readableBytes
            let length: [UInt8] =
                count < 126 ? [0x80 | UInt8(count)] : [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
            return [0x82] + length + [0, 0, 0, 0] + Array(frame.readableBytesView)
        }
    }

    /// Waits for the Close.
    private static func close(_ socket: RawSocket) throws -> (code: Int, reason: String)? {
        while let frame = try socket.frame() {
            guard frame.opcode == 8, frame.data.count >= 2 else { continue }
            return (
                Int(frame.data[0]) << 8 | Int(frame.data[1]), String(decoding: frame.data.dropFirst(2), as: UTF8.self)
            )
        }
        return nil
    }

    /// alice leaves messages unfinished on one connection after the other; what is inflated counts.
    @Test(arguments: [false, true]) func oneUserCannotTakeAllMemory(isCompressed: Bool) async throws {
        var bounds = GatewayBounds()
        bounds.arriving = 8 << 20
        bounds.arrivingOfOne = 4 << 20
        let log = LogLines()
        try await TestGateway.run(bounds: bounds, log: log) { gateway in
            let team = try await TestTeam(gateway)
            let beginning = try beginning(3 << 19, isCompressed: isCompressed)
            var sockets: [RawSocket] = []
            for number in 1...2 {
                let socket = try syncSocket("alice", gateway)
                try socket.send(beginning)
                sockets.append(socket)
                try await wait("memory", gateway) { $0 >= number * (5 << 18) }
            }
            let third = try syncSocket("alice", gateway)
            try third.send(beginning)
            let close = try Self.close(third)
            #expect(close?.code == 4_001)
            #expect(close?.reason.contains("Too much memory") == true, "\(close?.reason ?? "")")
            // Nobody else hears of it, not even alice where she asks for little.
            let bob = try await HostileSync(gateway, user: "bob")
            #expect(try await bob.push("b", "1-b", ["channels": ["south"]]).status == 200)
            let large: JSONValue = ["channels": ["south"], "text": .string(String(repeating: "x", count: 1 << 20))]
            try team.expect(201, try await team.user("bob", "PUT", "\(Self.path)/large", large))
            let alice = try await HostileSync(gateway, user: "alice")
            #expect(try await alice.push("a", "1-a", ["channels": ["north"]]).status == 200)
            // It is written when the connection has ended, which its client need not agree to at once.
            while !log.all.contains(where: {
                $0.contains("too many bytes") && $0.contains("user=alice") && $0.contains("of one user")
            }) { _ = try await unfinished("memory", gateway) }
            sockets = []
            try await wait("memory", gateway) { $0 == 0 }
        }
    }

    /// Revisions that wait for attachments which their client does not bring.
    @Test func waitingRevisionsAreOnTheirUsersAccount() async throws {
        var bounds = GatewayBounds()
        bounds.arriving = 8 << 20
        bounds.arrivingOfOne = 2 << 20
        try await TestGateway.run(bounds: bounds) { gateway in
            _ = try await TestTeam(gateway)
            var clients: [HostileSync] = []
            let text = String(repeating: "x", count: 3 << 19)
            let body: JSONValue = [
                "channels": ["north"], "text": .string(text),
                "_attachments": ["a": ["stub": true, "digest": "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "length": 5]],
            ]
            var reason: BLIPCloseReason?
            for number in 0..<2 {
                let client = try await HostileSync(gateway, user: "alice")
                client.ignores("getAttachment")
                clients.append(client)
                if number == 0 {
                    client.connection.send([
                        .request(
                            BLIPRequest(
                                properties: ["Profile": "rev", "collection": "0", "id": "d", "rev": "1-a"],
                                body: .bytes(body.bytes)), tag: 99)
                    ])
                    try await client.hears("getAttachment")
                } else {
                    do {
                        _ = try await client.push("e\(number)", "1-a", body)
                    } catch let error as HostileSync.Closed {
                        reason = error.reason
                    }
                }
            }
            #expect(reason?.code == 4_001)
            let bob = try await HostileSync(gateway, user: "bob")
            #expect(try await bob.push("b", "1-b", ["channels": ["south"]]).status == 200)
        }
    }

    // MARK: Slow senders

    private static let slow: [(name: String, head: String, isSignedIn: Bool)] = [
        ("a document", "PUT \(path)/d HTTP/1.1", true),
        ("a list of documents", "POST \(path)/_bulk_docs HTTP/1.1", true),
        ("an attachment", "PUT \(path)/d/photo HTTP/1.1", true),
        ("a login", "POST /db/_session HTTP/1.1", false),
    ]

    /// A byte now and then.
    @Test(arguments: slow.indices) func aBodyThatDripsEndsWith408(index: Int) async throws {
        let one = Self.slow[index]
        var bounds = GatewayBounds()
        bounds.pace = ArrivalPace(window: .milliseconds(500), bytes: 5_000)
        try await TestGateway.run(bounds: bounds) { gateway in
            let team = try await TestTeam(gateway)
            let login = one.isSignedIn ? "\(TestTeam.basic("alice").0): \(TestTeam.basic("alice").1)\r\n" : ""
            let answer = try await RawClient.onSocket(port: gateway.publicPort, limit: 0.05) { socket -> RawAnswer in
                try socket.send(Array("\(one.head)\r\nHost: x\r\nContent-Length: 16000\r\n\(login)\r\n".utf8))
                // The limit of each wait is the drip's interval.
                while true {
                    do { return try socket.answer(isHead: false) } catch { try socket.send([UInt8(ascii: " ")]) }
                }
            }
            #expect(answer.status == 408, "\(one.name): \(answer.text)")
            #expect(answer.header("Connection") == "close")
            #expect(answer.text.contains("too slowly"))
            // Nothing of it stays.
            #expect(try await unfinished("memory", gateway) == 0)
            try team.expect(201, try await team.user("bob", "PUT", "\(Self.path)/b", ["channels": ["south"]]))
        }
    }

    // MARK: Attachments on the disk

    @Test func oneUserCannotTakeAllOfTheDisk() async throws {
        var bounds = GatewayBounds()
        bounds.staged = 8 << 20
        bounds.stagedOfOne = 2 << 20
        try await TestGateway.run(bounds: bounds) { gateway in
            _ = try await TestTeam(gateway)
            let size = 3 << 19
            let content = [UInt8](repeating: 7, count: size)
            func head(_ user: String, _ id: String) -> [UInt8] {
                let login = TestTeam.basic(user)
                return Array(
                    ("PUT \(Self.path)/\(id)/photo HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n"
                        + "Connection: close\r\n\(login.0): \(login.1)\r\n\r\n").utf8)
            }
            let first = try RawSocket(port: gateway.publicPort)
            try first.send(head("alice", "one") + content.dropLast())
            try await wait("storage", gateway) { $0 == size - 1 }
            // A second one would be more than her share, but not than bob's.
            let second = try await RawClient.exchange(head("alice", "two") + content, port: gateway.publicPort)
            #expect(second.status == 503, "\(second.text)")
            let bob = try await RawClient.exchange(head("bob", "three") + content, port: gateway.publicPort)
            #expect(bob.status == 201, "\(bob.text)")
            try first.send([7])
            #expect(try first.answer(isHead: false).status == 201)
            try await wait("storage", gateway) { $0 == 0 }
            let again = try await RawClient.exchange(head("alice", "two") + content, port: gateway.publicPort)
            #expect(again.status == 201, "\(again.text)")
            // Who goes away leaves nothing.
            do {
                let gone = try RawSocket(port: gateway.publicPort)
                try gone.send(head("alice", "four") + content.dropLast())
                try await wait("storage", gateway) { $0 == size - 1 }
            }
            try await wait("storage", gateway) { $0 == 0 }
        }
    }
}
