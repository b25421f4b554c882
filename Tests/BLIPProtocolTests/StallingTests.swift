import NIOCore
import Testing

@testable import BLIPProtocol

/// What a peer leaves unfinished, and what that takes.
@Suite struct StallingTests {
    private static var unchecked: BLIPLimits {
        var limits = BLIPLimits()
        limits.flow.stallBytes = .max
        return limits
    }

    /// The frames of a message.
    private func frames(_ size: Int, isCompressed: Bool = false) throws -> [ByteBuffer] {
        var sender = BLIPEngine(limits: Self.unchecked)
        try sender.send(
            ["Profile": "x"], .bytes([UInt8](repeating: 7, count: size)), isCompressed: isCompressed)
        return try sender.frames()
    }

    @Test func anUnfinishedMessageIsFoundAtTheSecondLookWithoutAFrame() throws {
        let frames = try frames(100_000)
        var receiver = BLIPEngine()
        #expect(receiver.isOwedFrames == false)
        try receiver.receive(frames[0])
        #expect(receiver.isOwedFrames == true)
        #expect(receiver.messageWithoutProgress() == nil)
        try receiver.receive(frames[1])
        #expect(receiver.messageWithoutProgress() == nil)
        #expect(receiver.messageWithoutProgress() == 1)
        for frame in frames.dropFirst(2) { try receiver.receive(frame) }
        #expect(receiver.isOwedFrames == false)
        #expect(receiver.messageWithoutProgress() == nil)
    }

    /// Its sender may not go on.
    @Test func aMessageWhoseAcknowledgementIsWithheldWaitsForUs() throws {
        var limits = BLIPLimits()
        limits.acknowledgedIncompleteBytes = 0
        var receiver = BLIPEngine(limits: limits)
        var sender = BLIPEngine(limits: Self.unchecked)
        for _ in 0..<2 { try sender.send(["Profile": "x"], .bytes([UInt8](repeating: 7, count: 100_000))) }
        var frames = try sender.frames()
        frames.removeLast(4)
        for frame in frames { try receiver.receive(frame) }
        #expect(receiver.incomplete.messages.count == 2)
        #expect(receiver.messageWithoutProgress() == nil)
        // The one that leads does not wait for us.
        #expect(receiver.messageWithoutProgress() == receiver.incomplete.leading?.number)
    }

    @Test func aStreamedReplyThatDoesNotBeginIsFound() throws {
        var asking = BLIPEngine()
        var answering = BLIPEngine()
        try asking.send(["Profile": "x"], streamsReply: true)
        try asking.send(["Profile": "y"])
        for frame in try asking.frames() { try answering.receive(frame) }
        // An answer that is sent as a whole may take its time: it takes no memory.
        #expect(asking.isOwedFrames == true)
        #expect(asking.messageWithoutProgress() == nil)
        #expect(asking.messageWithoutProgress() == 1)
        try answering.enqueue(.response(to: 1, properties: [:], body: .empty, isCompressed: false))
        for frame in try answering.frames() { try asking.receive(frame) }
        #expect(asking.isOwedFrames == false)
    }

    @Test func whatIsInflatedCounts() throws {
        let frames = try frames(4_000_000, isCompressed: true)
        let wire = frames.reduce(0) { $0 + $1.readableBytes }
        var receiver = BLIPEngine()
        for frame in frames.dropLast() { try receiver.receive(frame) }
        #expect(receiver.heldBytes > 30 * wire)
        receiver.dropIncompleteMessages()
        #expect(receiver.heldBytes == 0)
    }

    /// A peer that reads slowly is waited for, and not closed for what waits.
    @Test func whatIsQueuedDoesNotCount() throws {
        var sender = BLIPEngine(limits: Self.unchecked)
        try sender.send(["Profile": "x"], .bytes([UInt8](repeating: 7, count: 1_000_000)))
        #expect(sender.queuedBytes >= 1_000_000 && sender.heldBytes == 0)
    }

    /// A thousand messages of which nothing has come take memory all the same.
    @Test func messagesWithoutContentCount() throws {
        var sender = BLIPEngine(limits: Self.unchecked)
        for _ in 0..<1_000 { try sender.send(["Profile": "x"], .bytes([UInt8](repeating: 7, count: 20_000))) }
        var receiver = BLIPEngine()
        for _ in 0..<1_000 {
            guard let frame = try sender.nextFrame() else { break }
            try receiver.receive(frame)
        }
        #expect(receiver.incomplete.messages.count == 1_000)
        #expect(receiver.heldBytes >= receiver.incomplete.bytes + 100_000)
    }
}
