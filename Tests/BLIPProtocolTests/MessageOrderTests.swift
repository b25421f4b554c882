import NIOCore
import SeededRandom
import Testing

@testable import BLIPProtocol

/// The last rows of a feed, which take several frames, and the small message that says that nothing more follows.
@Suite struct MessageOrderTests {
    private static let rows = BLIPBody.bytes([UInt8](repeating: 1, count: 40_000))

    private static func profiles(_ events: [BLIPIncoming]) -> [String] {
        events.compactMap { event in
            guard case .request(let message) = event else { return nil }
            return message.profile
        }
    }

    /// Something else is sent in between as before.
    @Test func orderedMessagesAreWholeOneAfterTheOther() throws {
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        try sender.send(["Profile": "rev"], Self.rows)
        try sender.send(["Profile": "rows"], Self.rows, isOrdered: true)
        try sender.send(["Profile": "end"], isNoReply: true, isOrdered: true)
        try sender.send(["Profile": "ping"])
        let events = try receiver.receive(all: sender.frames())
        #expect(Self.profiles(events) == ["rows", "end", "ping", "rev"])
    }

    @Test func urgentMessagesGoBetweenTheFramesOfOrderedOnes() throws {
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        try sender.send(["Profile": "rows"], Self.rows, isOrdered: true)
        try sender.send(["Profile": "urgent"], isUrgent: true)
        try sender.send(["Profile": "end"], isNoReply: true, isOrdered: true)
        let events = try receiver.receive(all: sender.frames())
        #expect(Self.profiles(events) == ["urgent", "rows", "end"])
    }

    /// A receiver that acknowledges late does not turn the order round.
    @Test func orderedMessagesWaitForNoAcknowledgement() throws {
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        try sender.send(["Profile": "rows"], .bytes([UInt8](repeating: 1, count: 400_000)), isOrdered: true)
        try sender.send(["Profile": "end"], isNoReply: true, isOrdered: true)
        let events = try receiver.receive(all: sender.frames())
        #expect(Self.profiles(events) == ["rows", "end"])
    }

    @Test(arguments: 0..<50) func anyMixtureKeepsTheOrder(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        var names: [String] = []
        var arrived: [String] = []
        for number in 0..<60 {
            let isOrdered = Bool.random(using: &generator)
            let size = Int.random(in: 0..<3, using: &generator) * 30_000
            try sender.send(
                ["Profile": "\(isOrdered ? "ordered" : "other") \(number)"],
                .bytes([UInt8](repeating: 1, count: size)),
                isUrgent: !isOrdered && Int.random(in: 0..<4, using: &generator) == 0,
                isCompressed: Bool.random(using: &generator), isOrdered: isOrdered)
            if isOrdered { names.append("ordered \(number)") }
            for _ in 0..<Int.random(in: 0..<3, using: &generator) {
                if let frame = try sender.nextFrame() { try receiver.receive(frame) }
            }
            arrived += Self.profiles(receiver.takeEvents())
        }
        try exchange(&sender, &receiver)
        arrived += Self.profiles(receiver.takeEvents())
        #expect(arrived.count == 60 && arrived.filter { $0.hasPrefix("ordered") } == names)
    }

    /// Gateways do not all send them one after the other.
    @Test func aClientHandsTheEndOutAfterTheRows() throws {
        var sender = BLIPEngine()
        var client = BLIPEngine(limits: .client)
        try sender.send(["Profile": "rows"], Self.rows)
        try sender.send(["Profile": "changes"], isNoReply: true)
        try sender.send(["Profile": "ping"])
        #expect(try Self.profiles(client.receive(all: sender.frames())) == ["ping", "rows", "changes"])
    }

    /// Small documents are not lost with a connection that breaks in the middle of a large one.
    @Test func nothingElseIsHeld() throws {
        var sender = BLIPEngine()
        var client = BLIPEngine(limits: .client)
        try sender.send(["Profile": "rev", "id": "large"], Self.rows)
        try client.receive(try #require(try sender.nextFrame()))
        for _ in 0..<3 { try sender.send(["Profile": "rev"], isNoReply: true) }
        try sender.send(["Profile": "changes"])
        let frames = try sender.frames()
        #expect(try Self.profiles(client.receive(all: frames)) == ["rev", "rev", "rev", "changes", "rev"])
    }

    @Test func whatIsHeldIsBounded() throws {
        var sender = BLIPEngine()
        var client = BLIPEngine(limits: .client)
        try sender.send(["Profile": "rows"], Self.rows)
        try client.receive(try #require(try sender.nextFrame()))
        // Larger than what is held, and one more than are held.
        try sender.send(["Profile": "changes"], .bytes([UInt8](repeating: 1, count: 20_000)), isNoReply: true)
        for _ in 0...BLIPLimits.heldRequests { try sender.send(["Profile": "changes"], isNoReply: true) }
        let events = Self.profiles(try client.receive(all: sender.frames()))
        #expect(events.count == BLIPLimits.heldRequests + 3)
        #expect(events.firstIndex(of: "rows") == 1, "behind the one that found no room")
    }
}

/// Numbers have 32 bits; the connection ends after the last one, and nothing else does.
@Suite struct MessageNumberTests {
    @Test func theLastNumberIsUsedOnce() throws {
        var engine = BLIPEngine()
        engine.outgoing.lastNumber = .max - 1
        try engine.send(["Profile": "last"])
        var frame = try #require(try engine.nextFrame())
        #expect(try FrameHeader(reading: &frame).number == .max)
        try engine.send(["Profile": "none"])
        #expect(throws: BLIPError.self) { _ = try engine.nextFrame() }
    }
}
