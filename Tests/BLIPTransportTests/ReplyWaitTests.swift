import BLIPProtocol
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import BLIPTransport

/// Servers that keep a connection open, and do not answer what they are asked.
@Suite(.timeLimit(.minutes(5))) struct ReplyWaitTests {
    private static let silence = SilenceLimits(notice: .seconds(15), limit: .seconds(120))

    private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test func silenceIsNotedAndThenGivenUp() {
        var wait = ReplyWait(Self.silence)
        #expect(wait.deadline == nil)
        wait.note(isOwed: true, at: at(10))
        wait.note(isOwed: true, at: at(20))
        #expect(wait.deadline == at(25))
        #expect(wait.timerFired(at: at(24)) == nil)
        #expect(wait.timerFired(at: at(25)) == .silent)
        #expect(wait.deadline == at(130))
        // One look at the socket.
        #expect(wait.timerFired(at: at(130)) == nil)
        #expect(wait.deadline == at(131))
        #expect(wait.timerFired(at: at(131)) == .givenUp)
    }

    /// Also one of another message, or an acknowledgement.
    @Test func eachFrameIsASignOfLife() {
        var wait = ReplyWait(Self.silence)
        wait.note(isOwed: true, at: at(0))
        for second in stride(from: Int64(14), to: 1_000, by: 14) {
            wait.heard(at: at(second))
            #expect(wait.timerFired(at: at(second + 13)) == nil)
        }
        wait.note(isOwed: true, at: at(2_000))
        #expect(wait.timerFired(at: at(2_000)) == .silent)
        wait.heard(at: at(2_001))
        #expect(wait.deadline == at(2_016))
        #expect(wait.timerFired(at: at(2_016)) == .silent)
        #expect(wait.timerFired(at: at(2_121)) == nil)
        // It lay unread in the socket.
        wait.heard(at: at(2_122))
        #expect(wait.timerFired(at: at(2_123)) == nil)
        #expect(wait.deadline == at(2_137))
    }

    @Test func nothingIsAwaitedWhereNothingIsOwed() {
        var wait = ReplyWait(Self.silence)
        wait.heard(at: at(0))
        #expect(wait.deadline == nil)
        #expect(wait.timerFired(at: at(1_000)) == nil)
        wait.note(isOwed: true, at: at(1_000))
        wait.note(isOwed: false, at: at(1_001))
        #expect(wait.deadline == nil)
        #expect(wait.timerFired(at: at(2_000)) == nil)
    }

    /// What was confirmed a while ago takes nothing back that has come since.
    @Test func anOlderSignChangesNothing() {
        var wait = ReplyWait(Self.silence)
        wait.note(isOwed: true, at: at(10))
        wait.heard(at: at(5))
        #expect(wait.deadline == at(25))
        #expect(wait.timerFired(at: at(25)) == .silent)
        wait.heard(at: at(10))
        #expect(wait.deadline == at(130))
    }

    private func look(_ confirmed: UInt64, _ silence: Int64 = 0, isSending: Bool = false) -> SocketProgress {
        SocketProgress(confirmedBytes: confirmed, silence: .seconds(silence), isSending: isSending)
    }

    /// However many there are between two looks, and however large.
    @Test func pingsAndPongsAreNoTraffic() {
        var traffic = ConfirmedTraffic()
        #expect(traffic.noteLook(look(1_000)) != nil)
        for _ in 1...100 { traffic.noteControlFrame(payloadBytes: 0) }
        traffic.noteControlFrame(payloadBytes: 125)
        #expect(traffic.noteLook(look(1_000 + 100 * 35 + 160)) == nil)
        // They count once.
        #expect(traffic.noteLook(look(1_000 + 100 * 35 + 160 + 200, 3)) == .seconds(3))
    }

    @Test func onlyWhatIsOnItsWayKeepsAServerWaiting() {
        var traffic = ConfirmedTraffic()
        // The request itself, as it is written, and confirmed at once.
        _ = traffic.noteUpload(look(500, isSending: true))
        #expect(traffic.noteUpload(look(821, 15)) == .seconds(15))
        // Proposals in between.
        #expect(traffic.noteUpload(look(9_000, 2)) == nil)
        #expect(traffic.noteUpload(look(50_000, isSending: true)) == .seconds(0))
        #expect(traffic.noteUpload(look(90_000, 1, isSending: true)) == .seconds(1))
        #expect(traffic.noteUpload(look(99_000, 4)) == .seconds(4))
        #expect(traffic.noteUpload(look(120_000, 1)) == nil)
    }

    /// The server waits for what is still on its way, and has nothing to say. It takes longer than the server may be silent.
    @Test func aSlowUploadIsNoSilence() async throws {
        let (ends, continuation) = AsyncStream<Void>.makeStream()
        let bytes = 600_000
        let server = try await RawSocket.listen(receiveBuffer: 8_192) { socket in
            let head = try await socket.readHead()
            try await socket.write(SwitchingAnswer.to(head, subprotocol: BLIPSubprotocol.version3))
            try await socket.readSlowly(2_000, every: .milliseconds(20))
            _ = try await socket.read(bytes)
            continuation.finish()
            _ = await socket.readToEnd()
        }
        var configuration = BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync")
        configuration.replies.silence = SilenceLimits(notice: .seconds(1), limit: .seconds(4))
        let connection = try await BLIPConnector.connectWithRetries(configuration)
        let peer = TestPeer()
        connection.start(delegate: peer)
        let large = [UInt8](repeating: 7, count: 120_000)
        connection.send((0..<8).map { .request("rev", .bytes(large), tag: UInt64($0)) })
        for await _ in ends {}
        connection.abort()
        #expect(try await peer.closeReason().error?.code == .aborted)
        try await server.stop()
    }

    /// Their bytes are confirmed by its system, a tenth of the limit apart and closer.
    @Test func pingsAreNoSignsOfLife() async throws {
        let server = try await RawSocket.listen { socket in
            let head = try await socket.readHead()
            try await socket.write(SwitchingAnswer.to(head, subprotocol: BLIPSubprotocol.version3))
            _ = await socket.readToEnd()
        }
        var configuration = BLIPClientConfiguration(
            url: "ws://127.0.0.1:\(server.port)/db/_blipsync", heartbeat: .milliseconds(20), pongTimeout: .minutes(10))
        configuration.replies.silence = SilenceLimits(notice: .milliseconds(500), limit: .seconds(3))
        let connection = try await BLIPConnector.connectWithRetries(configuration)
        let peer = TestPeer()
        connection.start(delegate: peer)
        connection.send([.request("getCollections", .bytes(ByteBuffer(string: "{}")), tag: 1)])
        let reason = try await peer.closeReason()
        #expect(reason.code == 1006 && !reason.isByPeer && reason.error?.code == .silent)
        // It is not the pings that were without an answer.
        #expect(reason.error?.message.contains("answered no request within 3 s") == true)
        try await server.stop()
    }

    /// The pings are answered.
    @Test func aServerThatAnswersPingsAloneIsGivenUp() async throws {
        let server = try await RawSocket.listen { socket in
            let head = try await socket.readHead()
            try await socket.write(SwitchingAnswer.to(head, subprotocol: BLIPSubprotocol.version3))
            for _ in 0..<1_000 { try await socket.write([0x8A, 0]) }
            _ = await socket.readToEnd()
        }
        let silences = NIOLockedValueBox(0)
        var configuration = BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync")
        // A system confirms some 40 ms late what nobody answers, and that counts as a sign of life.
        configuration.replies.silence = SilenceLimits(notice: .milliseconds(200), limit: .milliseconds(500))
        configuration.replies.reportSilence = { _ in silences.withLockedValue { $0 += 1 } }
        let connection = try await BLIPConnector.connectWithRetries(configuration)
        let peer = TestPeer()
        connection.start(delegate: peer)
        connection.send([.request("getCollections", .bytes(ByteBuffer(string: "{}")), tag: 1)])
        let reason = try await peer.closeReason()
        #expect(reason.code == 1006 && !reason.isByPeer && reason.error?.code == .silent)
        #expect(silences.withLockedValue { $0 } == 1)
        try await server.stop()
    }

    /// It owes no reply, and has not sent all that it was to send.
    @Test func aServerThatSaysNothingMoreIsGivenUpWhereMessagesAreAwaited() async throws {
        let server = try await RawSocket.listen { socket in
            let head = try await socket.readHead()
            try await socket.write(SwitchingAnswer.to(head, subprotocol: BLIPSubprotocol.version3))
            _ = await socket.readToEnd()
        }
        var configuration = BLIPClientConfiguration(url: "ws://127.0.0.1:\(server.port)/db/_blipsync")
        configuration.replies.silence = SilenceLimits(notice: .milliseconds(200), limit: .seconds(1))
        configuration.replies.awaitsMessages = true
        let connection = try await BLIPConnector.connectWithRetries(configuration)
        let peer = TestPeer()
        connection.start(delegate: peer)
        let reason = try await peer.closeReason()
        #expect(reason.code == 1006 && !reason.isByPeer && reason.error?.code == .silent)
        #expect(reason.error?.message.contains("sent nothing for 1 s") == true)
        try await server.stop()
    }
}
