import BLIPProtocol
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import Testing
import WireSupport

@testable import BLIPTransport

/// Clients that begin a message and do not go on with it.
@Suite(.timeLimit(.minutes(5))) struct UnfinishedMessageTests {
    /// An owner that has so many bytes.
    private final class Account: BLIPMemory {
        private let limit: Int
        private let held = NIOLockedValueBox(0)

        init(_ limit: Int) { self.limit = limit }

        var bytes: Int { held.withLockedValue { $0 } }

        func hold(_ bytes: Int) -> Bool {
            guard bytes <= limit else { return false }
            held.withLockedValue { $0 = bytes }
            return true
        }
    }

    /// A server's connection whose client's bytes are the test's.
    private func upgraded(
        pace: ArrivalPace = TransportLimits.arrivalPace, memory: (any BLIPMemory)? = nil,
        _ body: (RawSocket, TestPeer, TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer.start(pace: pace)
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n")
        _ = try await socket.readHead()
        let peer = TestPeer(answer: BLIPOutgoing.echo)
        try await server.nextConnection().connection.start(delegate: peer, memory: memory)
        try await body(socket, peer, server)
        try await server.stop()
    }

    /// A binary frame, masked with zeroes.
    private func frame(_ payload: [UInt8], opcode: UInt8 = 2, fin: Bool = true) -> [UInt8] {
        let count = payload.count
        let length: [UInt8] =
            count < 126
            ? [0x80 | UInt8(count)]
            : count < 65_536
                ? [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
                : [0x80 | 127, 0, 0, 0, 0] + (0..<4).map { UInt8(count >> (24 - 8 * $0) & 0xFF) }
        return [(fin ? 0x80 : 0) | opcode] + length + [0, 0, 0, 0] + payload
    }

    /// The frames of requests, as a client makes them that heeds no acknowledgements.
    private static func frames(_ sizes: [Int], isCompressed: Bool = false) throws -> [[UInt8]] {
        var limits = BLIPLimits()
        limits.flow.stallBytes = .max
        var engine = BLIPEngine(limits: limits)
        for (tag, size) in sizes.enumerated() {
            let body = BLIPBody.bytes([UInt8](repeating: 7, count: size))
            try engine.enqueue(
                .request(
                    BLIPRequest(properties: ["Profile": "x"], body: body, isCompressed: isCompressed),
                    tag: UInt64(tag)))
        }
        var frames: [[UInt8]] = []
        while let frame = try engine.nextFrame() { frames.append(Array(frame.readableBytesView)) }
        return frames
    }

    private static let quick = ArrivalPace(window: .milliseconds(200), bytes: 1_000)

    enum Beginning: CaseIterable { case message, frame, fragment }

    /// The beginning of what never ends.
    private func begin(_ beginning: Beginning, _ socket: RawSocket) async throws {
        let first = try Self.frames([100_000])[0]
        switch beginning {
        case .message: try await socket.write(frame(first))
        case .frame: try await socket.write(Array(frame(first).dropLast(10)))
        case .fragment: try await socket.write(frame(first, fin: false))
        }
    }

    @Test(arguments: Beginning.allCases) func whoDoesNotGoOnIsClosed(beginning: Beginning) async throws {
        try await upgraded(pace: Self.quick) { socket, peer, _ in
            try await begin(beginning, socket)
            let reason = try await peer.closeReason()
            #expect(reason.code == 4_001)
            #expect(reason.error?.code == .timedOut)
            #expect(!reason.isByPeer)
            let close = try await socket.read(2)
            #expect(close[0] == 0x88)
            #expect(try await socket.read(2) == [0x0F, 0xA1])
        }
    }

    /// As clients of a continuous sync are for hours.
    @Test func whoIsSilentBetweenMessagesIsKept() async throws {
        let server = try await TestServer.start(pace: Self.quick)
        let connection = try await BLIPConnector.connectWithRetries(BLIPClientConfiguration(url: server.url()))
        let client = TestPeer()
        connection.start(delegate: client)
        try await server.nextConnection().connection.start(delegate: TestPeer(answer: BLIPOutgoing.echo))
        connection.send([.request("before", .bytes([UInt8](repeating: 1, count: 100_000)))])
        guard case .response = try await client.nextIncoming() else {
            Issue.record("no reply")
            return
        }
        // Another one that is closed shows that the time is over.
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write(
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n")
        let peer = TestPeer()
        try await server.nextConnection().connection.start(delegate: peer)
        try await begin(.message, socket)
        #expect(try await peer.closeReason().code == 4_001)
        connection.send([.request("after", .bytes([1]))])
        guard case .response = try await client.nextIncoming() else {
            Issue.record("no reply")
            return
        }
        connection.abort()
        try await server.stop()
    }

    /// Enough comes, but never of the first message.
    @Test func aMessageThatIsNotReadIsFound() async throws {
        try await upgraded(pace: ArrivalPace(window: .milliseconds(20), bytes: 0)) { socket, peer, _ in
            let beginning = try Self.frames([100_000])[0]
            try await socket.write(frame(beginning))
            let isOver = NIOLockedValueBox(false)
            async let sending: Void = {
                while !isOver.withLockedValue({ $0 }) {
                    // Pings are something that comes.
                    let ping = frame([UInt8](repeating: 1, count: 100), opcode: 9)
                    do { try await socket.write(ping) } catch { return }
                }
            }()
            let reason = try await peer.closeReason()
            isOver.withLockedValue { $0 = true }
            #expect(reason.code == 4_001)
            #expect("\(reason)".contains("Message 1 was left unfinished"), "\(reason)")
            await sending
        }
    }

    @Test(arguments: [false, true]) func whoTakesMoreThanThereIsIsClosed(isCompressed: Bool) async throws {
        let account = Account(1 << 20)
        try await upgraded(memory: account) { socket, peer, _ in
            let frames = try Self.frames([900_000, 600_000], isCompressed: isCompressed)
            for frame in frames.dropLast(isCompressed ? 1 : 20) { try await socket.write(self.frame(frame)) }
            let reason = try await peer.closeReason()
            #expect(reason.code == 4_001)
            #expect("\(reason)".contains("Too much memory"), "\(reason)")
            #expect(account.bytes == 0)
        }
    }

    /// What becomes whole takes nothing any more, and what is small nothing at all.
    @Test func wholeMessagesAreGivenBack() async throws {
        let account = Account(1 << 20)
        try await upgraded(memory: account) { socket, peer, _ in
            for frame in try Self.frames([900_000]) { try await socket.write(self.frame(frame)) }
            guard case .request(let message) = try await peer.nextIncoming() else {
                Issue.record("nothing")
                return
            }
            #expect(message.body.readableBytes == 900_000)
            try await socket.close()
            _ = try await peer.closeReason()
            #expect(account.bytes == 0)
        }
    }

    /// Before anybody has signed in.
    @Test func aLargeFirstRequestIsOnAnAccount() async throws {
        let account = Account(64 << 10)
        let server = try await TestServer.start(memory: account)
        let socket = try await RawSocket.connect(port: server.port)
        try await socket.write("GET / HTTP/1.1\r\nX-Long: " + String(repeating: "x", count: 40_000))
        let other = try await RawSocket.connect(port: server.port)
        try await other.write("GET / HTTP/1.1\r\nX-Long: " + String(repeating: "x", count: 100_000))
        // The rest of it is read, so that the answer arrives and no reset.
        let refusal = try await other.readHead()
        #expect(refusal.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(refusal)")
        #expect(refusal.contains("Retry-After: 2\r\n") && refusal.contains("Connection: close"), "\(refusal)")
        try await other.write(String(repeating: "x", count: 300_000))
        try await other.close()
        try await socket.write("\r\n\r\n")
        #expect(try await socket.readHead().contains("200"))
        try await server.stop()
    }

    /// The system ends a program's connection without TLS's goodbye, which nobody waits for then.
    @Test(.timeLimit(.minutes(1))) func theEndOfAClientIsNoticedUnderTLS() async throws {
        let own = try TestCertificate(name: "localhost")
        var tls = try own.serverConfiguration()
        tls.shutdownTimeout = .minutes(30)
        let server = try await TestServer.start(tls: tls, allowsHalfClosure: true)
        let proxy = try await HostileProxy.start(to: server.port)
        let connection = try await BLIPConnector.connectWithRetries(
            BLIPClientConfiguration(url: "wss://localhost:\(proxy.port)/", trust: .selfSignedOnly))
        let there = TestPeer(answer: BLIPOutgoing.echo)
        let client = TestPeer()
        connection.start(delegate: client)
        try await server.nextConnection().connection.start(delegate: there)
        connection.send([.request("hello", .bytes([1]))])
        guard case .response = try await client.nextIncoming() else {
            Issue.record("no reply")
            return
        }
        proxy.cutAll()
        let reason = try await there.closeReason()
        #expect(reason.code == 1_006)
        #expect(reason.isByPeer)
        try await proxy.stop()
        try await server.stop()
    }
}
