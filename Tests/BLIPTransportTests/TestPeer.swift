import BLIPProtocol
import BLIPTransport
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

/// A delegate whose test waits for what happens.
final class TestPeer: BLIPConnectionDelegate {
    enum Event: Sendable {
        case incoming(BLIPIncoming)
        case closed(BLIPCloseReason)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let answer: @Sendable (BLIPMessage) -> BLIPOutgoing?
    private let pausesAfterFirstPart: Bool
    private let hasPaused = NIOLockedValueBox(false)

    /// - Parameters:
    ///   - pausesAfterFirstPart: stops reading when the first part of a streamed reply is there.
    ///   - answer: what is sent back to a request at once.
    init(pausesAfterFirstPart: Bool = false, answer: @escaping @Sendable (BLIPMessage) -> BLIPOutgoing? = { _ in nil })
    {
        self.pausesAfterFirstPart = pausesAfterFirstPart
        self.answer = answer
        (events, continuation) = AsyncStream.makeStream()
    }

    func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {
        var answers: [BLIPOutgoing] = []
        for incoming in received {
            if case .request(let message) = incoming, let outgoing = answer(message) { answers.append(outgoing) }
            if case .responsePart = incoming, pausesAfterFirstPart, !hasPaused.withLockedValue({ $0 }) {
                hasPaused.withLockedValue { $0 = true }
                connection.pauseReading()
            }
            continuation.yield(.incoming(incoming))
        }
        if !answers.isEmpty { connection.send(answers) }
    }

    func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {
        continuation.yield(.closed(reason))
        continuation.finish()
    }

    /// The next event that is not a `sent`.
    func next() async throws -> Event {
        for await event in events {
            if case .incoming(.sent) = event { continue }
            return event
        }
        throw NothingMore()
    }

    func nextIncoming() async throws -> BLIPIncoming {
        switch try await next() {
        case .incoming(let incoming): return incoming
        case .closed(let reason): throw Closed(reason: reason)
        }
    }

    /// How the connection ended; what comes before is passed over.
    func closeReason() async throws -> BLIPCloseReason {
        for await event in events { if case .closed(let reason) = event { return reason } }
        throw NothingMore()
    }

    struct NothingMore: Error {}
    struct Closed: Error { let reason: BLIPCloseReason }
}

extension BLIPConnector {
    /// With time for a machine that is busy with other tests.
    static func connectWithRetries(_ configuration: BLIPClientConfiguration) async throws(TransportError)
        -> BLIPConnection
    {
        var configuration = configuration
        if configuration.connectTimeout == TransportLimits.connectTimeout { configuration.connectTimeout = .minutes(4) }
        return try await connect(configuration, group: MultiThreadedEventLoopGroup.singleton)
    }
}

extension BLIPOutgoing {
    static func request(_ profile: String, _ body: BLIPBody = .empty, tag: UInt64 = 1, streamsReply: Bool = false)
        -> BLIPOutgoing
    {
        .request(
            BLIPRequest(properties: ["Profile": profile], body: body, isCompressed: false, streamsReply: streamsReply),
            tag: tag)
    }

    /// Gives a request's body back.
    static func echo(_ message: BLIPMessage) -> BLIPOutgoing? {
        .response(to: message.number, properties: [:], body: .bytes(message.body), isCompressed: false)
    }
}

/// A body that is made up while it is read, and notes how often.
final class PatternSource: BLIPBodySource {
    private let length: Int
    private let position = NIOLockedValueBox(0)

    init(length: Int) { self.length = length }

    /// 251 is prime: no frame size is a multiple of it, so a piece at a wrong offset is found out.
    private static let period = [UInt8](0...250)
    private static let pattern = [UInt8]([[UInt8]](repeating: period, count: 300).joined())

    static func bytes(at position: Int, count: Int) -> ByteBuffer {
        let start = position % period.count
        return ByteBuffer(bytes: pattern[start..<start + count])
    }

    var bytesRead: Int { position.withLockedValue { $0 } }

    func read(upTo count: Int) throws -> ByteBuffer? {
        position.withLockedValue { position in
            guard position < length else { return nil }
            let start = position
            position = min(length, start + count)
            return Self.bytes(at: start, count: position - start)
        }
    }
}
