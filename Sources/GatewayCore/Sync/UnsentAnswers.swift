import BLIPProtocol
import NIOCore
import SyncProtocol

/// The answers of one connection that its client has not read yet, such as documents that it requested one by one.
struct UnsentAnswers {
    private(set) var bytes = 0
    private let onSent: @Sendable (Int) -> Void

    /// - Parameter onSent: called with an answer's bytes when its last one is taken, or the connection has ended.
    init(onSent: @escaping @Sendable (Int) -> Void) { self.onSent = onSent }

    /// Returns the same messages, and counts answers until they are sent, also small ones, of which a client may request
    /// thousands. If there is no room for an answer, a refusal is sent instead; but one answer at a time is always sent.
    /// Refusals and confirmations are not counted here: the connection counts them, and stops reading when thousands wait.
    ///
    /// - Parameter room: free bytes of memory for messages that wait to be sent.
    mutating func held(_ messages: [BLIPOutgoing], room: Int) -> [BLIPOutgoing] {
        var room = room
        return messages.map { held($0, room: &room) }
    }

    private mutating func held(_ message: BLIPOutgoing, room: inout Int) -> BLIPOutgoing {
        guard case .response(let number, let properties, .bytes(let body), let isCompressed) = message,
            body.readableBytes > 0
        else { return message }
        let count = body.readableBytes + GatewayLimits.bytesOfAnswer
        guard bytes == 0 || count <= room else {
            return .failure(to: number, GatewayError.tooManyUnreadAnswers.blipReply)
        }
        bytes += count
        room -= count
        let source = UnsentAnswer(body, token: Token(count: count, onSent: onSent))
        return .response(
            to: number, properties: properties, body: .source(source, length: body.readableBytes),
            isCompressed: isCompressed)
    }

    /// An answer of so many bytes is sent.
    mutating func end(_ count: Int) { bytes -= count }

    fileprivate final class Token: Sendable {
        private let count: Int
        private let onSent: @Sendable (Int) -> Void

        init(count: Int, onSent: @escaping @Sendable (Int) -> Void) {
            self.count = count
            self.onSent = onSent
        }

        deinit { onSent(count) }
    }
}

/// An answer that reports its release.
private struct UnsentAnswer: BLIPBodySource {
    private var rest: ByteBuffer
    private let token: UnsentAnswers.Token

    init(_ bytes: ByteBuffer, token: UnsentAnswers.Token) {
        rest = bytes
        self.token = token
    }

    mutating func read(upTo count: Int) throws -> ByteBuffer? {
        rest.readableBytes > 0 ? rest.readSlice(length: min(count, rest.readableBytes)) : nil
    }
}
