import BLIPProtocol
import NIOCore
import NIOPosix
import Testing

@testable import BLIPTransport

/// Pings, and servers that do not answer them.
@Suite(.timeLimit(.minutes(5))) struct HeartbeatTests {
    /// A connection to a server whose WebSocket bytes are the test's.
    private func connected(
        heartbeat: TimeAmount, pongTimeout: TimeAmount?, receiveBuffer: Int? = nil,
        script: @escaping @Sendable (RawSocket) async throws -> Void,
        _ body: (BLIPConnection, TestPeer) async throws -> Void
    ) async throws {
        let server = try await RawSocket.listen(receiveBuffer: receiveBuffer) { socket in
            let head = try await socket.readHead()
            try await socket.write(SwitchingAnswer.to(head, subprotocol: BLIPSubprotocol.version3))
            try await script(socket)
        }
        let connection = try await BLIPConnector.connectWithRetries(
            BLIPClientConfiguration(
                url: "ws://127.0.0.1:\(server.port)/db/_blipsync", heartbeat: heartbeat, pongTimeout: pongTimeout))
        let peer = TestPeer()
        connection.start(delegate: peer)
        try await body(connection, peer)
        try await server.stop()
    }

    @Test func aServerThatDoesNotAnswerIsGivenUp() async throws {
        try await connected(heartbeat: .milliseconds(50), pongTimeout: .milliseconds(50)) { socket in
            _ = await socket.readToEnd()
        } _: { _, peer in
            let reason = try await peer.closeReason()
            #expect(reason.code == 1006)
            #expect(!reason.isByPeer)
            #expect(reason.error?.code == .timedOut)
        }
    }

    @Test func answeredPingsKeepTheConnection() async throws {
        try await connected(heartbeat: .milliseconds(30), pongTimeout: .milliseconds(5_000)) { socket in
            for _ in 1...5 {
                // An empty, masked ping.
                let ping = try await socket.read(6)
                #expect(ping.prefix(2) == [0x89, 0x80])
                try await socket.write([0x8A, 0])
            }
            try await socket.write([0x88, 2, 0x03, 0xE8])
            // The answer to the Close, masked; then it is the server that ends the connection.
            _ = try await socket.read(8)
            try await socket.close()
        } _: { _, peer in
            let reason = try await peer.closeReason()
            #expect(reason.code == 1000)
        }
    }

    /// The network has changed: that is no time to wait for the next ping.
    @Test func aDoubtfulConnectionIsPingedAtOnce() async throws {
        try await connected(heartbeat: .hours(1), pongTimeout: .milliseconds(50)) { socket in
            let ping = try await socket.read(6)
            #expect(ping.prefix(2) == [0x89, 0x80])
            _ = await socket.readToEnd()
        } _: { connection, peer in
            connection.check()
            let reason = try await peer.closeReason()
            #expect(reason.code == 1006 && reason.error?.code == .timedOut)
        }
    }

    @Test func aPauseOfOurOwnIsNoSilence() async throws {
        let (silences, continuation) = AsyncStream<Void>.makeStream()
        try await connected(heartbeat: .milliseconds(300), pongTimeout: .seconds(1)) { socket in
            // Ping after ping goes unanswered, and still the connection is kept.
            _ = try await socket.read(6 * 6)
            try await socket.write([0x88, 2, 0x03, 0xE8])
            continuation.yield()
            _ = try await socket.read(8)
            try await socket.close()
        } _: { connection, peer in
            connection.pauseReading()
            for await _ in silences { break }
            connection.resumeReading()
            let reason = try await peer.closeReason()
            #expect(reason.code == 1000)
        }
    }

    private static func messages(_ count: Int) -> [BLIPOutgoing] {
        let body = ByteBuffer(repeating: 7, count: 32 << 10)
        return (1...count).map { .request("rev", .bytes(body), tag: UInt64($0)) }
    }

    /// On a slow line the ping waits behind what is being sent, and its pong takes as long as all that.
    @Test func whatTheServerTakesIsASignOfLife() async throws {
        let (outcomes, continuation) = AsyncStream<Bool>.makeStream()
        try await connected(
            heartbeat: .milliseconds(200), pongTimeout: .seconds(1), receiveBuffer: 64 << 10
        ) { socket in
            try await socket.readSlowly(16 << 10, every: .milliseconds(20))
            do {
                _ = try await socket.read(96 * 32 << 10)
                continuation.yield(true)
            } catch {
                continuation.yield(false)
            }
        } _: { connection, peer in
            connection.send(Self.messages(96))
            for await isComplete in outcomes {
                #expect(isComplete, "it was given up")
                break
            }
            connection.abort()
            let reason = try await peer.closeReason()
            #expect(reason.error?.code == .aborted)
        }
    }

    /// Buffers that fill up are none.
    @Test func aServerThatTakesNothingMoreIsGivenUp() async throws {
        let (sockets, continuation) = AsyncStream<RawSocket>.makeStream()
        try await connected(heartbeat: .milliseconds(50), pongTimeout: .milliseconds(100), receiveBuffer: 64 << 10) {
            try await $0.stopReading()
            continuation.yield($0)
        } _: { connection, peer in
            connection.send(Self.messages(1_000))
            let reason = try await peer.closeReason()
            #expect(reason.error?.code == .timedOut)
            for await socket in sockets {
                try await socket.close()
                break
            }
        }
    }

    @Test func thePongTimeoutFollowsTheHeartbeat() {
        #expect(Heartbeat.pongTimeout(for: .seconds(300), nil) == .seconds(20))
        #expect(Heartbeat.pongTimeout(for: .seconds(5), nil) == .seconds(4))
        #expect(Heartbeat.pongTimeout(for: .seconds(5), .seconds(2)) == .seconds(2))
        #expect(Heartbeat.pongTimeout(for: .seconds(1), nil) == .milliseconds(500))
    }
}
