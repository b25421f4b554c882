import NIOCore
import SeededRandom
import Testing

@testable import BLIPProtocol

/// Messages of several frames: cutting, joining, acknowledging, stalling.
@Suite struct FlowControlTests {
    @Test(arguments: [0, 1, 16_300, 16_352, 16_353, 32_704, 32_705, 200_000], [false, true])
    func bodiesOfAnySizeArrive(size: Int, isCompressed: Bool) throws {
        var generator = SeededGenerator(seed: UInt64(size))
        let body = generator.bytes(size)
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        try sender.send(["Profile": "x"], .bytes(body), tag: 5, isCompressed: isCompressed)
        try exchange(&sender, &receiver)
        #expect(receiver.takeEvents().first?.request?.bodyBytes == body)
        #expect(sender.takeEvents() == [.sent(tag: 5)])
        #expect(sender.queuedBytes == 0)
        #expect(sender.outgoing.flows.isEmpty)
        #expect(receiver.incomplete.bytes == 0)
    }

    @Test func noFrameIsLargerThan16KiBEvenWhenNothingCanBeCompressed() throws {
        var generator = SeededGenerator(seed: 1)
        var sender = BLIPEngine()
        try sender.send(["Profile": "x"], .bytes(generator.bytes(120_000)), isCompressed: true)
        let frames = try sender.frames()
        #expect(frames.allSatisfy { $0.readableBytes <= 16_384 })
        #expect(frames.count == 8)
    }

    @Test func aSenderStopsAt128000UnacknowledgedBytes() throws {
        var sender = BLIPEngine()
        try sender.send(["Profile": "big"], .bytes([UInt8](repeating: 7, count: 300_000)))
        let firstFrames = try sender.frames()
        let size = firstFrames.reduce(0) { $0 + $1.readableBytes - 2 }
        #expect(size >= 128_000 && size - 16_384 < 128_000)

        // Others go on.
        try sender.send(["Profile": "small"])
        #expect(try sender.frames().count == 1)

        // An acknowledgement of too little changes nothing, one of enough sets the message free.
        try sender.receive(FrameEncoder.acknowledgement(of: MessageKey(number: 1, isReply: false), bytes: 100))
        #expect(try sender.frames().isEmpty)
        try sender.receive(FrameEncoder.acknowledgement(of: MessageKey(number: 1, isReply: false), bytes: 65_000))
        #expect(try sender.frames().count == 4)
    }

    @Test func acknowledgementsOfUnknownMessagesAndUnreadableCountsAreIgnored() throws {
        var engine = BLIPEngine()
        try engine.receive(hex("09 34 D4 86 03"))
        try engine.receive(hex("09 35 D4 86"))
        try engine.receive(hex("09 35"))
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func aReceiverAcknowledgesEach50000BytesOfAnIncompleteMessage() throws {
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        try sender.send(["Profile": "big"], .bytes([UInt8](repeating: 7, count: 140_000)))
        var counts: [UInt64] = []
        while let frame = try sender.nextFrame() {
            try receiver.receive(frame)
            while var acknowledgement = try receiver.nextFrame() {
                try sender.receive(acknowledgement)
                let header = try FrameHeader(reading: &acknowledgement)
                #expect(header.type == .acknowledgeRequest && header.number == 1)
                counts += [acknowledgement.readVarint()].compactMap { $0 }
            }
        }
        #expect(counts == [65_424, 130_848])
        #expect(receiver.takeEvents().count == 1)
    }

    @Test func fiveMegabytesPassBothWaysAtOnce() throws {
        var generator = SeededGenerator(seed: 5)
        let body = generator.bytes(1 << 20) + [UInt8](repeating: 0x20, count: 4 << 20)
        var first = BLIPEngine()
        var second = BLIPEngine()
        try first.send(["Profile": "x"], .bytes(body))
        try second.send(["Profile": "x"], .bytes(body), isCompressed: true)
        try exchange(&first, &second)
        #expect(first.takeReceived().first?.request?.bodyBytes == body)
        #expect(second.takeReceived().first?.request?.bodyBytes == body)
    }

    /// Peers send large messages side by side. Beyond some megabytes one after the other is complete, and memory stays
    /// bounded by what each sends without an acknowledgement.
    @Test(arguments: [false, true]) func manyLargeMessagesArriveInBoundedMemory(isCompressed: Bool) throws {
        var limits = BLIPLimits()
        limits.acknowledgedIncompleteBytes = 1 << 20
        var sender = BLIPEngine()
        var receiver = BLIPEngine(limits: limits)
        var generator = SeededGenerator(seed: 3)
        let bodies = (0..<12).map { _ in generator.bytes(1_000_000) }
        for body in bodies { try sender.send(["Profile": "rev"], .bytes(body), isCompressed: isCompressed) }
        var largest = 0
        var received: [[UInt8]] = []
        var isMoving = true
        while isMoving {
            isMoving = false
            while let frame = try sender.nextFrame() {
                isMoving = true
                try receiver.receive(frame)
                largest = max(largest, receiver.incomplete.bytes)
            }
            while let frame = try receiver.nextFrame() {
                isMoving = true
                try sender.receive(frame)
            }
            received += receiver.takeEvents().compactMap { $0.request?.bodyBytes }
        }
        #expect(received.count == bodies.count && Set(received) == Set(bodies))
        #expect(largest < bodies.count * 150_000 + (1 << 20) + 1_000_000, "\(largest)")
        #expect(receiver.incomplete.bytes == 0)
    }
}
