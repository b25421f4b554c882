import BLIPProtocol
import NIOCore
import SyncProtocol

/// A client's request for an attachment.
struct AskedAttachment: Hashable {
    let number: UInt32
    let collection: Int
    let documentID: String
    let digest: String
    let isCompressed: Bool
}

/// The attachments that one client has requested: some are sent at the same time, the others wait for their turn, since
/// each that is being sent has a piece in memory. Pure.
struct AttachmentTurns {
    private var waiting = CircularBuffer<AskedAttachment>()
    /// How many are being sent.
    private var sending = 0

    /// The memory of those that are being sent.
    var bytes: Int { sending * GatewayLimits.attachmentPiece }

    /// False if it cannot even wait.
    mutating func add(_ asked: AskedAttachment) -> Bool {
        guard waiting.count < GatewayLimits.waitingAttachments else { return false }
        waiting.append(asked)
        return true
    }

    /// The attachments to send now, in the order of the requests.
    ///
    /// - Parameter room: free bytes of memory. If there are none, one is sent at a time.
    mutating func next(room: Int) -> [AskedAttachment] {
        let fitting = max(0, room) / GatewayLimits.attachmentPiece
        let most = max(1, min(GatewayLimits.attachmentsSentAtOnce, sending + fitting))
        var next: [AskedAttachment] = []
        while sending < most, let asked = waiting.popFirst() {
            next.append(asked)
            sending += 1
        }
        return next
    }

    /// One was sent, or could not be.
    mutating func end() { sending -= 1 }
}

/// An attachment's turn, which ends when it is released: when the last piece was taken, or the connection has ended.
final class AttachmentTurn: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
}

/// Content that holds its turn for as long as it is being read.
struct AttachmentInTurn: BLIPBodySource {
    private var content: any BLIPBodySource
    private let turn: AttachmentTurn

    init(_ content: any BLIPBodySource, turn: AttachmentTurn) {
        self.content = content
        self.turn = turn
    }

    mutating func read(upTo count: Int) throws -> ByteBuffer? { try content.read(upTo: count) }
}

extension BLIPBody {
    /// The same, holding a turn.
    func holding(_ turn: AttachmentTurn) -> BLIPBody {
        switch self {
        case .bytes: self
        case .source(let source, let length): .source(AttachmentInTurn(source, turn: turn), length: length)
        }
    }
}
