import NIOCore
import SeededRandom
import Testing

@testable import BLIPProtocol

/// Who sends the next frame.
@Suite struct SchedulingTests {
    /// The number and size of each frame.
    private func run(_ engine: inout BLIPEngine, frames count: Int) throws -> [(number: UInt32, size: Int)] {
        try (0..<count).map { _ in
            var frame = try #require(try engine.nextFrame())
            let size = frame.readableBytes
            return (try FrameHeader(reading: &frame).number, size)
        }
    }

    private let large = BLIPBody.bytes([UInt8](repeating: 1, count: 100_000))

    @Test func messagesTakeTurns() throws {
        var engine = BLIPEngine()
        try engine.send(["Profile": "a"], large)
        try engine.send(["Profile": "b"], large)
        try engine.send(["Profile": "c"])
        #expect(try run(&engine, frames: 6).map(\.number) == [1, 2, 3, 1, 2, 1])
    }

    @Test func anUrgentMessageOvertakesThoseThatHaveBegun() throws {
        var engine = BLIPEngine()
        try engine.send(["Profile": "a"], large)
        try engine.send(["Profile": "b"], large)
        _ = try run(&engine, frames: 2)
        try engine.send(["Profile": "urgent"], isUrgent: true)
        #expect(try run(&engine, frames: 2).map(\.number) == [3, 1])
    }

    @Test func urgentRequestsDoNotOvertakeThoseThatHaveNotBegun() throws {
        var engine = BLIPEngine()
        try engine.send(["Profile": "a"])
        try engine.send(["Profile": "b"])
        try engine.send(["Profile": "urgent"], tag: 9, isUrgent: true)
        _ = try run(&engine, frames: 3)
        #expect(engine.takeEvents().last == .sent(tag: 9))
    }

    @Test func oneNormalMessageGoesBetweenTwoUrgentOnes() throws {
        var engine = BLIPEngine()
        for _ in 1...3 { try engine.send(["Profile": "normal"], large) }
        _ = try run(&engine, frames: 3)
        try engine.send(["Profile": "urgent"], large, isUrgent: true)
        try engine.send(["Profile": "urgent"], large, isUrgent: true)
        #expect(try run(&engine, frames: 6).map(\.number) == [4, 1, 5, 2, 4, 3])
    }

    @Test func aNormalFrameIsShortWhenAnUrgentMessageWaitsBehindIt() throws {
        var engine = BLIPEngine()
        try engine.send(["Profile": "normal"], large)
        try engine.send(["Profile": "urgent"], large, isUrgent: true)
        let frames = try run(&engine, frames: 2)
        #expect(frames[0].number == 1 && frames[0].size <= 4_096)
        #expect(frames[1].number == 2 && frames[1].size > 16_000)
    }

    @Test func numbersAreAlwaysInTheOrderOfFirstFrames() throws {
        var generator = SeededGenerator(seed: 3)
        var sender = BLIPEngine()
        var receiver = BLIPEngine()
        var received = 0
        for _ in 0..<500 {
            let size = Bool.random(using: &generator) ? 10 : Int.random(in: 0..<60_000, using: &generator)
            try sender.send(
                ["Profile": "x"], .bytes([UInt8](repeating: 1, count: size)),
                isUrgent: Bool.random(using: &generator), isCompressed: Bool.random(using: &generator))
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                if let frame = try sender.nextFrame() { try receiver.receive(frame) }
            }
            received += receiver.takeEvents().count
        }
        try exchange(&sender, &receiver)
        #expect(received + receiver.takeEvents().count == 500)
    }

    @Test func aReplyIsAsUrgentAsItsRequest() throws {
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        try asking.send(["Profile": "x"], isUrgent: true)
        try exchange(&asking, &answering)
        try answering.enqueue(.response(to: 1, properties: [:], body: .bytes([0x5B, 0x5D]), isCompressed: true))
        var frame = try #require(try answering.nextFrame())
        #expect(frame.getBytes(at: 0, length: 2) == [1, 0x19])
        #expect(try FrameHeader(reading: &frame).type == .response)
    }
}
