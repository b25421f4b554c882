import NIOCore
import SeededRandom
import Testing

@testable import BLIPProtocol

/// Answers, and bodies that are not held in memory.
@Suite struct ReplyTests {
    @Test func repliesFindTheirTagsInAnyOrder() throws {
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        for tag in UInt64(10)...12 { try asking.send(["Profile": "x"], tag: tag) }
        try exchange(&asking, &answering)
        _ = asking.takeEvents()
        try answering.enqueue(.response(to: 3, properties: ["a": "b"], body: .empty, isCompressed: false))
        try answering.enqueue(.failure(to: 1, .http(409, message: "conflict")))
        try answering.enqueue(.response(to: 2, properties: [:], body: .bytes([1]), isCompressed: true))
        try exchange(&asking, &answering)
        let events = asking.takeEvents()
        #expect(events.count == 3)
        #expect(events[0].response?.properties == ["a": "b"])
        #expect(events[1] == .failure(tag: 10, .http(409, message: "conflict")))
        #expect(events[2].response?.bodyBytes == [1])
        #expect(asking.replies.awaited.isEmpty)
        #expect(answering.replies.unanswered.isEmpty)
    }

    /// A connection that ended over it would end there again, and nothing behind it would ever come.
    @Test(arguments: [501, 40_000, 900_000], [true, false])
    func aRequestThatIsTooLargeIsRefusedAlone(size: Int, isCompressed: Bool) throws {
        var limits = BLIPLimits()
        limits.messageBytes = 500
        var asking = BLIPEngine()
        var answering = BLIPEngine(limits: limits)
        var generator = SeededGenerator(seed: 7)
        let body = BLIPBody.bytes(generator.bytes(size))
        try asking.send(["Profile": "rev"], body, tag: 1, isCompressed: isCompressed)
        try asking.send(["Profile": "rev"], body, isCompressed: isCompressed, isNoReply: true)
        try asking.send(["Profile": "small"], .bytes([1]), tag: 2, isCompressed: isCompressed)
        try exchange(&asking, &answering)
        let events = answering.takeEvents()
        #expect(events.count == 1 && events[0].request?.profile == "small")
        #expect(answering.incomplete.messages.isEmpty && answering.incomplete.bytes == 0)
        try answering.enqueue(.response(to: 3, properties: [:], body: .empty, isCompressed: false))
        try exchange(&asking, &answering)
        let answers = asking.takeEvents()
        #expect(answers.contains(.failure(tag: 1, .http(413, message: "Document too large!"))))
        #expect(answers.contains { $0.response != nil })
        #expect(answering.replies.unanswered.isEmpty && asking.replies.awaited.isEmpty)
    }

    @Test func answersThatNobodyWaitsForAreLeftOut() throws {
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        try asking.send(["Profile": "x"], isNoReply: true)
        try asking.send(["Profile": "x"])
        try exchange(&asking, &answering)
        for _ in 1...2 {
            try answering.enqueue(.response(to: 1, properties: [:], body: .empty, isCompressed: false))
            try answering.enqueue(.failure(to: 2, .http(500)))
        }
        #expect(try answering.frames().count == 1)
    }

    @Test func aRequestWithoutProfileIsAnsweredByTheEngine() throws {
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        try asking.send(["a": "b"], tag: 4)
        try exchange(&asking, &answering)
        #expect(answering.takeReceived().isEmpty)
        #expect(asking.takeReceived() == [.failure(tag: 4, .unknownProfile(nil))])
    }

    @Test func aSecondReplyIsIgnoredButCounted() throws {
        var asking = BLIPEngine()
        var answering = FrameEncoder(limits: BLIPLimits())
        try asking.send(["Profile": "x"])
        _ = try asking.frames()
        let header = FrameHeader(number: 1, type: .response, flags: .compressed)
        let payload = FramePayload(head: ByteBuffer(bytes: [0]), body: ByteBuffer(string: "text"))
        for expected in [1, 0, 0] {
            let (frame, _) = try answering.encode(header, payload: payload)
            #expect(try asking.receive(all: [frame]).count == expected)
        }
    }

    @Test(arguments: [false, true]) func aStreamedReplyComesInParts(isCompressed: Bool) throws {
        var generator = SeededGenerator(seed: 8)
        let content = generator.bytes(500_000)
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        try asking.send(["Profile": "getAttachment"], tag: 6, streamsReply: true)
        try exchange(&asking, &answering)
        _ = asking.takeEvents()
        try answering.enqueue(
            .response(
                to: 1, properties: ["a": "b"], body: .source(ArraySource(content), length: content.count),
                isCompressed: isCompressed))
        var received: [UInt8] = []
        var isWhole = false
        while let frame = try answering.nextFrame() {
            // Nothing is kept on either side.
            #expect(answering.queuedBytes <= 16_384)
            try asking.receive(frame)
            #expect(asking.incomplete.bytes == 0)
            for case .responsePart(6, let part, let isLast) in asking.takeEvents() {
                received += Array(part.readableBytesView)
                isWhole = isLast
            }
            while let acknowledgement = try asking.nextFrame() { try answering.receive(acknowledgement) }
        }
        #expect(isWhole)
        #expect(received == content)
    }

    @Test func aFailureOfAStreamedRequestIsAFailure() throws {
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        try asking.send(["Profile": "getAttachment"], tag: 6, streamsReply: true)
        try exchange(&asking, &answering)
        try answering.enqueue(.failure(to: 1, .http(404, message: "missing")))
        try exchange(&asking, &answering)
        #expect(asking.takeReceived() == [.failure(tag: 6, .http(404, message: "missing"))])
    }

    @Test func aSourceThatFailsAtOnceBecomesAnError() throws {
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        try asking.send(["Profile": "x"], tag: 6)
        try exchange(&asking, &answering)
        try answering.enqueue(
            .response(
                to: 1, properties: [:], body: .source(ArraySource([], fails: true), length: nil), isCompressed: false))
        try exchange(&asking, &answering)
        #expect(asking.takeReceived() == [.failure(tag: 6, .http(500, message: "The content cannot be read"))])
    }

    @Test(arguments: [99_999, 100_001, 0]) func aSourceOfAnotherLengthFails(promised: Int) throws {
        var engine = BLIPEngine()
        let source = ArraySource([UInt8](repeating: 1, count: 100_000))
        let failure = code { () throws(BLIPError) in
            try engine.send(["Profile": "x"], .source(source, length: promised))
            _ = try engine.frames()
        }
        #expect(failure == .sourceFailed)
    }

    @Test(arguments: [0, 1, 16_384, 16_385, 50_000]) func sourcesOfUnknownLengthArriveWhole(size: Int) throws {
        var generator = SeededGenerator(seed: 9)
        let content = generator.bytes(size)
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        try sender.send(["Profile": "x"], .source(ArraySource(content, step: 777), length: nil))
        try exchange(&sender, &receiver)
        #expect(receiver.takeEvents().first?.request?.bodyBytes == content)
    }
}

private struct ArraySource: BLIPBodySource {
    struct Failure: Error {}

    private var rest: ArraySlice<UInt8>
    private let step: Int
    private let fails: Bool

    init(_ content: [UInt8], step: Int = .max, fails: Bool = false) {
        rest = content[...]
        self.step = step
        self.fails = fails
    }

    mutating func read(upTo count: Int) throws -> ByteBuffer? {
        if fails { throw Failure() }
        guard !rest.isEmpty else { return nil }
        let piece = rest.prefix(min(count, step))
        rest = rest.dropFirst(piece.count)
        return ByteBuffer(bytes: piece)
    }
}
