import NIOCore
import Testing
import TranscriptSupport

@testable import BLIPProtocol

/// Whole recorded conversations through engines.
@Suite struct TranscriptEngineTests {
    /// Both engines are given what the recorded peers sent, and receive the recorded frames.
    @Test func recordedFramesBecomeTheRecordedMessages() throws {
        var count = 0
        for name in try Transcript.names() {
            let transcript = try Transcript.load(name)
            for connection in transcript.connections {
                var replay = try ConversationReplay(transcript, connection)
                try replay.receiveRecordedFrames()
                count += replay.compared
            }
        }
        #expect(count == 3_926)
    }

    /// Both engines are given what the recorded peers sent, and receive each other's frames.
    @Test func whatTheEnginesSendBecomesTheRecordedMessages() throws {
        var count = 0
        for name in try Transcript.names() {
            let transcript = try Transcript.load(name)
            for connection in transcript.connections {
                var replay = try ConversationReplay(transcript, connection)
                try replay.receiveEachOther()
                count += replay.compared
            }
        }
        #expect(count == 3_926)
    }
}

/// Two engines that send what was recorded on one connection.
private struct ConversationReplay: ~Copyable {
    private var client = BLIPEngine()
    private var server = BLIPEngine()
    private let frames: [TranscriptFrame]
    private var started: Set<[UInt32]> = []
    private var bodies: [[UInt8]?]
    private(set) var compared = 0

    init(_ transcript: Transcript, _ connection: Int) throws {
        frames = transcript.frames(of: connection)
        bodies = try TranscriptBodies.read(frames)
    }

    mutating func receiveRecordedFrames() throws {
        for index in frames.indices {
            try enqueueIfFirst(index)
            // What the engines make of it is looked at in the other test.
            _ = try client.frames()
            _ = try server.frames()
            let frame = ByteBuffer(bytes: frames[index].bytes)
            switch frames[index].direction {
            case .toServer: try compare(server.receive(all: [frame]), frames[index].message, bodies[index])
            case .toClient: try compare(client.receive(all: [frame]), frames[index].message, bodies[index])
            }
        }
    }

    mutating func receiveEachOther() throws {
        for index in frames.indices {
            guard let message = try enqueueIfFirst(index) else { continue }
            try exchange(&client, &server)
            let body = bodies[frames.firstIndex { isLast($0, of: frames[index]) } ?? index]
            switch frames[index].direction {
            case .toServer: try compare(server.takeReceived(), message, body)
            case .toClient: try compare(client.takeReceived(), message, body)
            }
            _ = client.takeEvents()
            _ = server.takeEvents()
        }
    }

    private func isLast(_ frame: TranscriptFrame, of first: TranscriptFrame) -> Bool {
        frame.direction == first.direction && frame.number == first.number && frame.message?.type == first.type
    }

    /// Hands a message to its sender when its first frame comes up.
    @discardableResult
    private mutating func enqueueIfFirst(_ index: Int) throws -> TranscriptMessage? {
        let frame = frames[index]
        let isReply: UInt32 = frame.type == .request ? 0 : 1
        guard frame.acknowledgedBytes == nil,
            started.insert([frame.direction == .toServer ? 0 : 1, frame.number, isReply]).inserted,
            let last = frames.firstIndex(where: { isLast($0, of: frame) }), let message = frames[last].message
        else { return nil }
        let outgoing = message.outgoing(body: try #require(bodies[last]))
        switch frame.direction {
        case .toServer: try client.enqueue(outgoing)
        case .toClient: try server.enqueue(outgoing)
        }
        return message
    }

    private mutating func compare(
        _ received: [BLIPIncoming], _ message: TranscriptMessage?, _ body: [UInt8]?
    ) throws {
        guard let message else {
            #expect(received.isEmpty)
            return
        }
        #expect(received.count == 1)
        switch received.first {
        case .request(let whole), .response(_, let whole):
            #expect(whole.number == message.number)
            #expect(whole.properties.map(\.key) == message.properties.map(\.key))
            #expect(whole.properties.map(\.value) == message.properties.map(\.value))
            #expect(whole.body.readableBytes == message.bodyCount)
            #expect(whole.bodyBytes == body)
            #expect(whole.isUrgent == message.isUrgent)
            #expect(whole.isNoReply == message.isNoReply)
            #expect(whole.isCompressed == message.isCompressed)
        case .failure(let tag, let error):
            #expect(tag == UInt64(message.number))
            #expect(error.domain == message["Error-Domain"])
            #expect(String(error.code) == message["Error-Code"])
            #expect(Array(error.message.utf8) == body)
        case .responsePart, .sent, nil:
            Issue.record("message \(message.number) did not arrive")
        }
        compared += 1
    }
}

extension TranscriptMessage {
    fileprivate func outgoing(body: [UInt8]) -> BLIPOutgoing {
        var sent = BLIPProperties()
        for property in properties { sent.append(property.key, value: property.value) }
        switch type {
        case .response:
            return .response(to: number, properties: sent, body: .bytes(body), isCompressed: isCompressed)
        case .error:
            let error = BLIPErrorReply(
                domain: self["Error-Domain"] ?? "", code: Int(self["Error-Code"] ?? "") ?? 0,
                message: String(decoding: body, as: UTF8.self))
            return .failure(to: number, error)
        case .request, .acknowledgeRequest, .acknowledgeReply:
            let request = BLIPRequest(
                properties: sent, body: .bytes(body), isUrgent: isUrgent, isCompressed: isCompressed,
                isNoReply: isNoReply)
            return .request(request, tag: UInt64(number))
        }
    }
}
