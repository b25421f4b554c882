import NIOCore
import NIOEmbedded
import Testing

@testable import BLIPTransport

/// Who sends nothing but small pieces is read more slowly, and loses nothing.
@Suite struct PiecePaceTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func whoIsAheadOfThePaceWaits() {
        var pace = PiecePace(limit: 1_000)
        #expect(pace.delay(at: Self.second) == nil)
        // A burst is 50 ms.
        pace.charge(50, at: Self.second)
        #expect(pace.delay(at: Self.second) == nil)
        pace.charge(150, at: Self.second)
        #expect(pace.delay(at: Self.second) == 200_000_000)
        #expect(pace.delay(at: Self.second + 160_000_000) == nil)
    }

    @Test func noDebtLastsLongerThanASecond() {
        var pace = PiecePace(limit: 1_000)
        pace.charge(.max, at: Self.second)
        pace.charge(1_000_000, at: Self.second)
        #expect(pace.delay(at: Self.second) == TransportLimits.longestPieceDebt)
        #expect(pace.delay(at: 2 * Self.second) == nil)
    }

    /// Makes one piece of each so many bytes.
    private final class Cutter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        let size: Int

        init(size: Int) { self.size = size }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            while let piece = bytes.readSlice(length: min(size, bytes.readableBytes)), piece.readableBytes > 0 {
                context.fireChannelRead(wrapInboundOut(piece))
            }
        }
    }

    private func channel(cutting size: Int, _ owner: PieceOwner) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([PacedReads(owner), Cutter(size: size)])
        try pipeline.addHandler(#require(PieceCounter(in: pipeline)))
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        return channel
    }

    private func arrived(_ channel: EmbeddedChannel) throws -> Int {
        var bytes = 0
        while let piece = try channel.readInbound(as: ByteBuffer.self) { bytes += piece.readableBytes }
        return bytes
    }

    private static let read = ByteBuffer(repeating: 0, count: 64 << 10)

    @Test func smallPiecesComeInTheirTime() throws {
        let channel = try channel(cutting: 8, PieceOwner(PieceBudget(limit: 1_000)))
        try channel.writeInbound(Self.read)
        #expect(try arrived(channel) == TransportLimits.pacedBytes)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(500))
        #expect(try arrived(channel) == 0)
        for slice in 2...8 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(try arrived(channel) == TransportLimits.pacedBytes, "slice \(slice)")
        }
        #expect(try channel.finish().isClean)
    }

    @Test func theEndComesBehindThem() throws {
        final class Ends: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            var count = 0
            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { count += 1 }
        }
        let channel = try channel(cutting: 8, PieceOwner(PieceBudget(limit: 1_000)))
        let ends = Ends()
        try channel.pipeline.syncOperations.addHandler(ends)
        try channel.writeInbound(Self.read)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(ends.count == 0)
        for _ in 0..<10 { channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
        #expect(ends.count == 1)
        _ = try channel.finish()
    }

    @Test func largePiecesOfTheSameOwnerWaitForNothing() throws {
        let owner = PieceOwner(PieceBudget(limit: 1_000))
        let small = try channel(cutting: 8, owner)
        let large = try channel(cutting: 4 << 10, owner)
        try small.writeInbound(Self.read)
        try large.writeInbound(Self.read)
        #expect(try arrived(large) == Self.read.readableBytes)
        _ = try small.finish()
        _ = try large.finish()
    }

    /// The connections of one account share what it has.
    @Test func manyConnectionsHaveOneBudget() throws {
        let owner = PieceOwner(PieceBudget(limit: 1_000))
        let channels = try (0..<10).map { _ in try channel(cutting: 8, owner) }
        for channel in channels { try channel.writeInbound(Self.read) }
        var bytes = 0
        for channel in channels { bytes += try arrived(channel) }
        // One slice of each shows what they are; then all wait.
        #expect(bytes == 10 * TransportLimits.pacedBytes)
        for channel in channels { _ = try channel.finish() }
    }
}
