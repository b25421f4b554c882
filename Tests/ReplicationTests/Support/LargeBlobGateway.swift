import BLIPProtocol
import BLIPTransport
import DocumentValues
import NIOCore
import SyncProtocol
import Synchronization

/// A gateway with one document and one blob that is larger than gateways allow; it holds neither in memory.
final class LargeBlobGateway: BLIPConnectionDelegate {
    private struct State {
        /// The message to be answered when the blob has come.
        var pushed: UInt32?
        var digest = BlobDigestBuilder()
    }

    private static let (changes, blob, silent): (UInt64, UInt64, UInt64) = (1, 2, 3)

    /// Bytes of the blob that it has, all of them different enough from zero.
    private let length: Int
    /// What its document says of it.
    private let announced: Int
    private let state = Mutex(State())

    init(length: Int, announced: Int? = nil) {
        self.length = length
        self.announced = announced ?? length
    }

    /// Of the pushed bytes.
    var received: (digest: BlobDigest, length: UInt64) { state.withLock { ($0.digest.finish(), $0.digest.length) } }

    /// Of what it has.
    var digest: BlobDigest {
        var builder = BlobDigestBuilder()
        var source = Source(rest: length)
        while let bytes = source.read(upTo: 1 << 20) { builder.update(bytes.readableBytesView) }
        return builder.finish()
    }

    func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {
        for event in received {
            switch event {
            case .request(let message): connection.send(answers(to: message))
            case .response(Self.changes, _): connection.send(document)
            case .responsePart(Self.blob, let bytes, let isLast):
                state.withLock { $0.digest.update(bytes.readableBytesView) }
                if isLast, let number = state.withLock({ $0.pushed }) { connection.send([Self.reply(number)]) }
            case .response, .responsePart, .failure, .sent: break
            }
        }
    }

    func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {}

    private func answers(to message: BLIPMessage) -> [BLIPOutgoing] {
        let reply = message.isNoReply ? [] : [Self.reply(message.number)]
        switch message.profile.flatMap(MessageProfile.init(exactly:)) {
        case .getCollections: return [Self.reply(message.number, "[{}]")]
        case .setCheckpoint: return [Self.reply(message.number, properties: [MessageProperty.rev: "0-1"])]
        case .proposeChanges where !message.isNoReply: return [Self.reply(message.number, "[]")]
        case .subChanges:
            let row = ChangeRow(sequence: "1", documentID: "large", revision: "1-abc")
            return reply + [.request(Changes(collection: 0, rows: [row]).request(for: .version3), tag: Self.changes)]
        case .rev: return fetch(message)
        case .getAttachment:
            return [
                .response(
                    to: message.number, properties: [:], body: .source(Source(rest: length), length: length),
                    isCompressed: false)
            ]
        default: return reply
        }
    }

    private func fetch(_ message: BLIPMessage) -> [BLIPOutgoing] {
        state.withLock { $0.pushed = message.number }
        let digest = (try? JSONValue(parsing: message.bodyBytes))?["photo"]?["digest"]?.stringValue ?? ""
        let request = GetAttachment(collection: 0, digest: digest, documentID: "large", compresses: false)
        return [.request(request.request, tag: Self.blob)]
    }

    private var document: [BLIPOutgoing] {
        let body =
            #"{"photo":{"@type":"blob","content_type":"image/x","digest":"\#(digest.text)","length":\#(announced)}}"#
        var revision = Rev(
            collection: 0, documentID: "large", revision: "1-abc", body: ByteBuffer(string: body))
        revision.sequence = "1"
        return [
            .request(revision.request(asGateway: true), tag: Self.silent),
            .request(Changes(collection: 0, rows: []).request(for: .version3), tag: Self.silent),
        ]
    }

    private static func reply(
        _ number: UInt32, _ body: String = "", properties: BLIPProperties = [:]
    ) -> BLIPOutgoing {
        .response(to: number, properties: properties, body: .bytes(Array(body.utf8)), isCompressed: false)
    }

    private struct Source: BLIPBodySource {
        private static let pattern = ByteBuffer(bytes: (0..<(64 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var rest: Int

        mutating func read(upTo count: Int) -> ByteBuffer? {
            guard rest > 0 else { return nil }
            let size = min(count, rest, Self.pattern.readableBytes)
            rest -= size
            return Self.pattern.getSlice(at: 0, length: size)
        }
    }
}
