import BLIPProtocol
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import BLIPTransport

/// Clients that go on slowly with what they have begun, in a time of the test's own: a window has 60 s and 30 KiB.
@Suite struct ArrivalWatchTests {
    private enum Step: Sendable {
        /// So many of the frames that come next, of up to 16 KiB each.
        case frames(Int)
        case seconds(Int64)
        /// This side stops reading.
        case pause
        case resume
    }

    private struct History: Sendable {
        let name: String
        /// Bytes of the messages, one after the other.
        let messages: [Int]
        let steps: [Step]
        let isKept: Bool
    }

    private static let histories: [History] = [
        History(
            name: "a small message with two stalls", messages: [25_000],
            steps: [.frames(1), .seconds(65), .frames(1), .seconds(200)], isKept: true),
        History(
            name: "a small message that waits for as long as it takes at the least pace", messages: [25_000],
            steps: [.frames(1), .seconds(119)], isKept: true),
        History(
            name: "a small message that never ends", messages: [25_000], steps: [.frames(1), .seconds(121)],
            isKept: false),
        History(
            name: "a large message that stops", messages: [200_000], steps: [.frames(5), .seconds(121)], isKept: false),
        History(
            name: "a large message with a stall of half a minute in each window", messages: [200_000],
            steps: (0..<6).flatMap { _ in [.frames(2), .seconds(60)] as [Step] } + [.frames(1), .seconds(500)],
            isKept: true),
        History(
            name: "what is half here when somebody looks began after all before it was whole",
            messages: Array(repeating: 17_000, count: 6),
            steps: [.frames(1), .seconds(59)] + (0..<4).flatMap { _ in [.frames(2), .seconds(60)] as [Step] },
            isKept: true),
        History(
            name: "this side reads nothing for an hour", messages: [200_000],
            steps: [
                .frames(5), .seconds(70), .pause, .seconds(3_600), .resume, .seconds(49), .frames(8), .seconds(500),
            ], isKept: true),
        History(
            name: "the time before the pause and after it is one", messages: [200_000],
            steps: [.frames(5), .seconds(70), .pause, .seconds(3_600), .resume, .seconds(51)], isKept: false),
        History(
            name: "a moment without reading in each window", messages: [200_000],
            steps: [.frames(5)] + (0..<3).flatMap { _ in [.seconds(50), .pause, .seconds(1), .resume] as [Step] },
            isKept: false),
    ]

    @Test(arguments: histories.indices) func slowClientsAreJudged(index: Int) throws {
        let history = Self.histories[index]
        let loop = EmbeddedEventLoop()
        let handler = BLIPChannelHandler(role: .server, pace: TransportLimits.arrivalPace)
        let channel = EmbeddedChannel(handler: handler, loop: loop)
        let connection = BLIPConnection(channel: channel, handler: handler, subprotocol: "x")
        connection.start(delegate: TestPeer())
        loop.run()
        var frames = try Self.frames(history.messages)[...]
        for step in history.steps {
            switch step {
            case .frames(let count):
                for frame in frames.prefix(count) {
                    try channel.writeInbound(
                        WebSocketFrame(fin: true, opcode: .binary, maskKey: [0, 0, 0, 0], data: frame))
                }
                frames = frames.dropFirst(count)
            case .seconds(let count): loop.advanceTime(by: .seconds(count))
            case .pause: connection.pauseReading()
            case .resume: connection.resumeReading()
            }
            loop.run()
        }
        #expect(handler.closing.allowsMessages == history.isKept, "\(history.name)")
        if !history.isKept { #expect("\(handler.closing)".contains("too slowly"), "\(history.name)") }
        connection.abort()
        loop.run()
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// The frames of messages that are sent one after the other, by a client that heeds no acknowledgements.
    private static func frames(_ sizes: [Int]) throws -> [ByteBuffer] {
        var limits = BLIPLimits()
        limits.flow.stallBytes = .max
        var engine = BLIPEngine(limits: limits)
        var frames: [ByteBuffer] = []
        for (tag, size) in sizes.enumerated() {
            let body = BLIPBody.bytes([UInt8](repeating: 7, count: size))
            try engine.enqueue(
                .request(
                    BLIPRequest(properties: ["Profile": "x"], body: body, isCompressed: false, isNoReply: true),
                    tag: UInt64(tag)))
            while let frame = try engine.nextFrame() { frames.append(frame) }
        }
        return frames
    }
}
