import BLIPProtocol
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import BLIPTransport

/// Clients that ask and do not read: what waits for them is bounded, in messages and in time.
@Suite(.timeLimit(.minutes(5))) struct UnreadAnswerTests {
    /// Reports what is held.
    private final class Account: BLIPMemory {
        let (held, continuation) = AsyncStream<Int>.makeStream()

        func hold(_ bytes: Int) -> Bool {
            continuation.yield(bytes)
            return true
        }
    }

    /// Refuses each request, and reports how many there were.
    private final class Refusing: BLIPConnectionDelegate {
        let (counts, counting) = AsyncStream<Int>.makeStream()
        private let asked = NIOLockedValueBox(0)
        /// All of them are more than the system's buffers take.
        private static let reason = String(repeating: "Once is enough. ", count: 30)
        let (closed, continuation) = AsyncStream<BLIPCloseReason>.makeStream()

        func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {
            let refusals: [BLIPOutgoing] = received.compactMap { incoming in
                guard case .request(let message) = incoming else { return nil }
                return .failure(to: message.number, .http(409, message: Self.reason))
            }
            counting.yield(
                asked.withLockedValue { asked in
                    asked += refusals.count
                    return asked
                })
            connection.send(refusals)
        }

        func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {
            continuation.yield(reason)
            continuation.finish()
            counting.finish()
        }
    }

    private static let count = 60_000

    private func upgraded(
        readingLimit: TimeAmount, _ body: (RawSocket, Refusing, Account) async throws -> Void
    ) async throws {
        let server = try await TestServer.start(readingLimit: readingLimit)
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n")
        _ = try await socket.readHead()
        let refusing = Refusing()
        let account = Account()
        try await server.nextConnection().connection.start(delegate: refusing, memory: account)
        try await body(socket, refusing, account)
        try await server.stop()
    }

    /// Masked frames of so many small requests.
    private static func requests() throws -> [UInt8] {
        var limits = BLIPLimits()
        limits.unansweredRequests = .max
        var engine = BLIPEngine(limits: limits)
        var bytes: [UInt8] = []
        for tag in 0..<count {
            try engine.enqueue(.request(BLIPRequest(properties: ["Profile": "subChanges"]), tag: UInt64(tag)))
            while let frame = try engine.nextFrame() {
                bytes += [0x82, 0x80 | UInt8(frame.readableBytes), 0, 0, 0, 0] + Array(frame.readableBytesView)
            }
        }
        return bytes
    }

    /// The client goes on writing until the server takes no more.
    @Test func whoReadsNothingIsReadNoMoreAndClosed() async throws {
        try await upgraded(readingLimit: .milliseconds(400)) { socket, refusing, account in
            try await socket.stopReading()
            let bytes = try Self.requests()
            async let writing: Void = socket.write(bytes)
            for await reason in refusing.closed {
                #expect(reason.error?.code == .aborted && !reason.isByPeer)
                #expect("\(reason)".contains("read nothing of its answers"), "\(reason)")
            }
            // The connection ends before all is written.
            _ = try? await writing
            var asked = 0
            for await count in refusing.counts { asked = count }
            #expect(asked < Self.count)
            account.continuation.finish()
            #expect(await account.held.contains { $0 > 0 })
        }
    }

    /// Who reads late has all of the answers.
    @Test func whoReadsAgainIsReadAgain() async throws {
        try await upgraded(readingLimit: .minutes(4)) { socket, refusing, account in
            try await socket.stopReading()
            let bytes = try Self.requests()
            async let writing: Void = socket.write(bytes)
            #expect(await account.held.contains { $0 > 0 })
            try await socket.goOnReading()
            try await writing
            #expect(await refusing.counts.contains { $0 == Self.count })
            // An answer is longer than its frame's head.
            _ = try await socket.read(Self.count * 10)
            try await socket.close()
            for await reason in refusing.closed { #expect(reason.isByPeer) }
        }
    }
}
