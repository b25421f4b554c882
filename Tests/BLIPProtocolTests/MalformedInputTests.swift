import NIOCore
import Testing

@testable import BLIPProtocol

/// Input that is not BLIP, is damaged, or asks for too much.
@Suite struct MalformedInputTests {
    /// One frame of a request, with whatever payload.
    private func frame(
        _ payload: [UInt8], number: UInt32 = 1, type: FrameType = .request, flags: FrameFlags = []
    ) throws -> ByteBuffer {
        var encoder = FrameEncoder(limits: BLIPLimits())
        let header = FrameHeader(number: number, type: type, flags: flags)
        return try encoder.encode(header, payload: FramePayload(body: ByteBuffer(bytes: payload))).0
    }

    private func code(receiving frame: ByteBuffer, limits: BLIPLimits = BLIPLimits()) -> BLIPError.Code? {
        var engine = BLIPEngine(limits: limits)
        return BLIPProtocolTests.code { () throws(BLIPError) in try engine.receive(frame) }
    }

    @Test(arguments: [
        ("", BLIPError.Code.frameTooShort), ("01", .frameTooShort), ("01 00", .frameTooShort),
        ("01 00 00 00 00", .frameTooShort), ("80 80", .badVarint), ("01 80", .badVarint),
        ("FF FF FF FF FF FF FF FF FF FF FF 00", .badVarint), ("00 00 00 00 00 00 00", .unexpectedNumber),
        ("FF FF FF FF 1F 00 00 00 00 00 00", .unexpectedNumber), ("02 00 00 00 00 00 00", .unexpectedNumber),
        ("01 01 00 00 00 00 00", .unexpectedNumber), ("01 03 00 00 00 00 00", .unknownFrameType),
        ("01 06 00 00 00 00 00", .unknownFrameType), ("01 07 00 00 00 00 00", .unknownFrameType),
        ("01 00 00 12 34 56 78", .badChecksum), ("01 08 FF FF FF 00 00 00 00", .badCompression),
    ])
    func framesThatAreNone(bytes: String, expected: BLIPError.Code) {
        #expect(code(receiving: hex(bytes)) == expected)
    }

    @Test(
        arguments: [
            [0x05, 0x41, 0x00, 0x42, 0x00], [0x02, 0x41, 0x42], [0x02, 0x41, 0x00], [0xFF, 0xFF, 0xFF, 0x7F], [0x80],
            [0x04, 0xC3, 0x00, 0x41, 0x00], [0x08, 0x41, 0x00, 0x42, 0x00, 0x41, 0x00, 0x43, 0x00], [],
        ] as [[UInt8]])
    func propertiesThatAreNone(payload: [UInt8]) throws {
        #expect(code(receiving: try frame(payload)) == .badProperties)
    }

    /// Marks that may be combined with a letter: Swift's own comparison and hashes take the square of their number.
    @Test(.timeLimit(.minutes(1)), arguments: [1, 20]) func namesOfManyMarksAreReadAtOnce(others: Int) throws {
        let marks = Array(("a" + String(repeating: "\u{301}\u{316}", count: 400_000)).utf8)
        var block = marks + [0, 0] + marks + [0x62, 0, 0]
        for index in 0..<others { block += Array("\(index)".utf8) + [0, 0] }
        var limits = BLIPLimits()
        limits.propertyBytes = 2 * block.count
        var payload = ByteBuffer()
        payload.writeVarint(UInt64(block.count))
        payload.writeBytes(block)
        let properties = try #require(try PropertyBlock.decode(from: &payload, limit: limits.propertyBytes))
        #expect(properties.count == others + 2)
        block += marks + [0, 0]
        payload = ByteBuffer()
        payload.writeVarint(UInt64(block.count))
        payload.writeBytes(block)
        #expect(throws: BLIPError.self) { try PropertyBlock.decode(from: &payload, limit: limits.propertyBytes) }
    }

    @Test func fiftyThousandPropertiesAreFoundOutQuickly() throws {
        var block: [UInt8] = []
        for index in 0..<20_000 { block += Array("\(index % 19_999)".utf8) + [0, 0] }
        var payload = ByteBuffer()
        payload.writeVarint(UInt64(block.count))
        payload.writeBytes(block)
        var limits = BLIPLimits()
        limits.propertyBytes = block.count
        #expect(code(receiving: try frame(Array(payload.readableBytesView)), limits: limits) == .badProperties)
    }

    @Test func aRepeatedRequestIsNone() throws {
        var engine = BLIPEngine()
        var sender = BLIPEngine()
        try sender.send(["Profile": "x"])
        let frame = try #require(try sender.nextFrame())
        try engine.receive(frame)
        #expect(BLIPProtocolTests.code { () throws(BLIPError) in try engine.receive(frame) } == .unexpectedNumber)
    }

    @Test func aLostFrameIsFoundOut() throws {
        var sender = BLIPEngine()
        try sender.send(["Profile": "x"], .bytes([UInt8](repeating: 3, count: 50_000)))
        var frames = try sender.frames()
        frames.remove(at: 1)
        var engine = BLIPEngine()
        let failure = BLIPProtocolTests.code { () throws(BLIPError) in
            for frame in frames { try engine.receive(frame) }
        }
        #expect(failure == .badChecksum)
    }

    @Test func aFinishedDeflateStreamIsNone() throws {
        // The fixed block "x", marked as the last one.
        let frame = hex("01 08 AB 00 00 00 00 00 00")
        #expect(code(receiving: frame) == .badCompression)
    }

    @Test func aCompressionBombIsStopped() throws {
        var limits = BLIPLimits()
        limits.inflatedFrameBytes = 100_000
        let bomb = try frame([0] + [UInt8](repeating: 0, count: 10_000_000), flags: .compressed)
        #expect(bomb.readableBytes < 50_000)
        #expect(code(receiving: bomb, limits: limits) == .inflatedFrameTooLarge)
    }

    @Test func emptyCompressedFramesAreAccepted() throws {
        var engine = BLIPEngine()
        try engine.receive(hex("01 48 00 00 00 00 00"))
        try engine.receive(hex("01 48 00 00 00 00"))
        #expect(engine.takeEvents().isEmpty)
        #expect(engine.incomplete.messages.count == 1)
    }

    @Test func framesMessagesAndTheirNumberAreLimited() throws {
        var limits = BLIPLimits()
        limits.receivedFrameBytes = 1_000
        limits.messageBytes = 500
        limits.incompleteMessages = 2
        limits.refusesLargeRequests = false
        let long = [UInt8](repeating: 0, count: 2_000)
        #expect(code(receiving: try frame(long), limits: limits) == .frameTooLarge)
        #expect(code(receiving: try frame(Array(long.prefix(600))), limits: limits) == .messageTooLarge)
        #expect(
            code(receiving: try frame(Array(long.prefix(600)), flags: .moreComing), limits: limits) == .messageTooLarge)

        var engine = BLIPEngine(limits: limits)
        var encoder = FrameEncoder(limits: limits)
        let failure = BLIPProtocolTests.code { () throws(BLIPError) in
            for number in UInt32(1)...3 {
                let header = FrameHeader(number: number, type: .request, flags: .moreComing)
                try engine.receive(encoder.encode(header, payload: FramePayload(body: ByteBuffer(bytes: [0]))).0)
            }
        }
        #expect(failure == .tooManyMessages)
    }

    @Test func theQueueIsLimited() {
        var limits = BLIPLimits()
        limits.queuedBytes = 1_000
        var engine = BLIPEngine(limits: limits)
        let failure = BLIPProtocolTests.code { () throws(BLIPError) in
            for _ in 0..<3 { try engine.send(["Profile": "x"], .bytes([UInt8](repeating: 0, count: 400))) }
        }
        #expect(failure == .queueFull)
    }

    @Test func aPeerThatNeverWaitsForAnswersIsCutOff() throws {
        var limits = BLIPLimits()
        limits.unansweredRequests = 5
        var sender = BLIPEngine()
        for _ in 0..<6 { try sender.send(["Profile": "x"]) }
        let frames = try sender.frames()
        var engine = BLIPEngine(limits: limits)
        let failure = BLIPProtocolTests.code { () throws(BLIPError) in
            for frame in frames { try engine.receive(frame) }
        }
        #expect(failure == .tooManyMessages)
    }

    @Test func propertiesWithNULOrBeyondTheLimitAreNotSent() {
        var engine = BLIPEngine()
        let withNUL = BLIPProtocolTests.code { () throws(BLIPError) in try engine.send(["Profile": "a\0b"]) }
        #expect(withNUL == .badProperties)
        let long = String(repeating: "x", count: 110_000)
        let tooLong = BLIPProtocolTests.code { () throws(BLIPError) in try engine.send(["Profile": long]) }
        #expect(tooLong == .badProperties)
    }
}
