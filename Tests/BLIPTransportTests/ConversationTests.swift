import BLIPProtocol
import BLIPTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// Two ends of a connection talking over real sockets.
@Suite(.timeLimit(.minutes(5))) struct ConversationTests {
    /// A connected pair, both started.
    private func pair(
        client: TestPeer = TestPeer(answer: BLIPOutgoing.echo), server: TestPeer = TestPeer(answer: BLIPOutgoing.echo),
        _ body: (BLIPConnection, BLIPConnection) async throws -> Void
    ) async throws {
        let listener = try await TestServer.start()
        let connection = try await BLIPConnector.connectWithRetries(
            BLIPClientConfiguration(url: listener.url()))
        let accepted = try await listener.nextConnection().connection
        connection.start(delegate: client)
        accepted.start(delegate: server)
        try await body(connection, accepted)
        connection.abort()
        try await listener.stop()
    }

    @Test func requestsAndRepliesPassBothWays() async throws {
        let client = TestPeer(answer: BLIPOutgoing.echo)
        let server = TestPeer(answer: BLIPOutgoing.echo)
        try await pair(client: client, server: server) { connection, accepted in
            #expect(connection.subprotocol == BLIPSubprotocol.version3)
            #expect(accepted.subprotocol == BLIPSubprotocol.version3)
            #expect(connection.responseHeaders["X-Test"] == ["yes"])
            connection.send([.request("hello", .bytes([1, 2, 3]), tag: 77)])
            guard case .response(77, let reply) = try await client.nextIncoming() else {
                Issue.record("no reply")
                return
            }
            #expect(reply.bodyBytes == [1, 2, 3])
            accepted.send([.request("back", .bytes([4]), tag: 78)])
            _ = try await server.nextIncoming()
            guard case .response(78, let back) = try await server.nextIncoming() else {
                Issue.record("no reply")
                return
            }
            #expect(back.bodyBytes == [4])
        }
    }

    @Test func manyMessagesKeepTheirOrder() async throws {
        let client = TestPeer()
        try await pair(client: client) { connection, _ in
            for start in stride(from: UInt64(0), to: 2_000, by: 100) {
                connection.send(
                    (start..<start + 100).map { .request("x", .bytes(Array("\($0)".utf8)), tag: $0) })
            }
            for expected in UInt64(0)..<2_000 {
                guard case .response(let tag, let reply) = try await client.nextIncoming() else {
                    Issue.record("no reply")
                    return
                }
                #expect(tag == expected)
                #expect(reply.bodyBytes == Array("\(expected)".utf8))
            }
        }
    }

    @Test func fiveMegabytesStreamBothWaysWithLittleMemory() async throws {
        let length = 5 << 20
        let stream: @Sendable (BLIPMessage) -> BLIPOutgoing? = { message in
            .response(
                to: message.number, properties: [:], body: .source(PatternSource(length: length), length: length),
                isCompressed: false)
        }
        let client = TestPeer(answer: stream)
        let server = TestPeer(answer: stream)
        try await pair(client: client, server: server) { connection, accepted in
            connection.send([.request("get", tag: 1, streamsReply: true)])
            accepted.send([.request("get", tag: 1, streamsReply: true)])
            for peer in [client, server] {
                var count = 0
                var isWhole = false
                while !isWhole {
                    switch try await peer.nextIncoming() {
                    case .responsePart(1, let part, let isLast):
                        #expect(part.readableBytes <= 16_384)
                        #expect(part == PatternSource.bytes(at: count, count: part.readableBytes))
                        count += part.readableBytes
                        isWhole = isLast
                    case .request: break
                    case .response, .failure, .sent, .responsePart: Issue.record("not a part")
                    }
                }
                #expect(count == length)
            }
        }
    }

    @Test func aSourceIsReadOnlyAsFastAsThePeerTakesIt() async throws {
        let source = PatternSource(length: 20 << 20)
        let client = TestPeer(pausesAfterFirstPart: true)
        let server = TestPeer(answer: { message in
            .response(to: message.number, properties: [:], body: .source(source, length: nil), isCompressed: false)
        })
        try await pair(client: client, server: server) { connection, accepted in
            connection.send([.request("get", tag: 1, streamsReply: true)])
            guard case .responsePart = try await client.nextIncoming() else {
                Issue.record("no part")
                return
            }
            // Without acknowledgements from us, the stall limit stops the sender; it still sends other messages.
            accepted.send([.request("mark", tag: 2)])
            for await event in server.events { if case .incoming(.sent(tag: 2)) = event { break } }
            #expect(source.bytesRead < 10 << 20)
            connection.resumeReading()
            var isWhole = false
            while !isWhole {
                if case .responsePart(_, _, let isLast) = try await client.nextIncoming() { isWhole = isLast }
            }
            #expect(source.bytesRead == 20 << 20)
        }
    }

    @Test func aPausedConnectionHearsNothingUntilItResumes() async throws {
        let server = TestPeer()
        let client = TestPeer()
        try await pair(client: client, server: server) { connection, accepted in
            accepted.pauseReading()
            // The pause is in force when its request has been written.
            accepted.send([.request("first", tag: 1)])
            guard case .request = try await client.nextIncoming() else {
                Issue.record("no request")
                return
            }
            connection.send([.request("hello", tag: 5)])
            accepted.resumeReading()
            guard case .request(let message) = try await server.nextIncoming() else {
                Issue.record("no request")
                return
            }
            #expect(message.profile == "hello")
        }
    }

    @Test(arguments: [true, false]) func aCloseIsAnsweredWithItsCodeAndReason(byClient: Bool) async throws {
        let client = TestPeer()
        let server = TestPeer()
        try await pair(client: client, server: server) { connection, accepted in
            (byClient ? connection : accepted).close(code: 4002, reason: "Unrecognized collection")
            let here = try await client.closeReason()
            let there = try await server.closeReason()
            for reason in [here, there] {
                #expect(reason.code == 4002)
                #expect(reason.reason == "Unrecognized collection")
                #expect(reason.error == nil)
            }
            #expect(here.isByPeer == !byClient)
            #expect(there.isByPeer == byClient)
        }
    }

    @Test func whatIsQueuedIsSentBeforeTheGoodbye() async throws {
        let server = TestPeer()
        try await pair(client: TestPeer(), server: server) { connection, _ in
            let large = [UInt8](repeating: 7, count: 1 << 20)
            connection.send([.request("large", .bytes(large)), .request("last")])
            connection.close()
            var received: [Int] = []
            for await event in server.events {
                switch event {
                case .incoming(.request(let message)): received.append(message.body.readableBytes)
                case .incoming: break
                case .closed(let reason): #expect(reason.code == 1000)
                }
            }
            #expect(received.sorted() == [0, 1 << 20])
        }
    }

    @Test func aPeerThatVanishesIs1006() async throws {
        let client = TestPeer()
        let server = TestPeer()
        try await pair(client: client, server: server) { connection, accepted in
            accepted.abort()
            let here = try await client.closeReason()
            #expect(here.code == 1006)
            #expect(here.isByPeer)
            #expect(here.error != nil)
            let there = try await server.closeReason()
            #expect(there.code == 1006)
            #expect(!there.isByPeer)
            connection.send([.request("too late")])
        }
    }

    @Test func aConnectionThatEndsBeforeItStartsSaysSo() async throws {
        let listener = try await TestServer.start()
        let connection = try await BLIPConnector.connectWithRetries(
            BLIPClientConfiguration(url: listener.url()))
        let accepted = try await listener.nextConnection().connection
        accepted.abort()
        let peer = TestPeer()
        connection.start(delegate: peer)
        #expect(try await peer.closeReason().code == 1006)
        try await listener.stop()
    }
}
