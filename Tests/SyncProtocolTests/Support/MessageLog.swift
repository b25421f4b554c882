import NIOCore
import TranscriptSupport

@testable import BLIPProtocol

/// A whole message of a recording, with the bytes of its body.
struct RecordedMessage {
    let record: Int
    let direction: TranscriptDirection
    let message: BLIPMessage

    var number: UInt32 { message.number }
    var isError: Bool { message.kind == .error }
}

/// All messages of one recorded connection, decoded from its frames.
struct MessageLog {
    let name: String
    let connection: Int
    /// In the order in which they were complete.
    let messages: [RecordedMessage]

    init(_ transcript: Transcript, connection: Int) throws {
        name = transcript.name
        self.connection = connection
        var toServer = FrameDecoder(limits: BLIPLimits())
        var toClient = FrameDecoder(limits: BLIPLimits())
        var open: [[UInt64]: ByteBuffer] = [:]
        var messages: [RecordedMessage] = []
        for record in transcript.records(of: connection) {
            guard case .frame(let recorded) = record.content, recorded.acknowledgedBytes == nil else { continue }
            var frame = ByteBuffer(bytes: recorded.bytes)
            let header = try FrameHeader(reading: &frame)
            let isReply = header.type != .request
            let key = [recorded.direction == .toServer ? 0 : 1, UInt64(header.number), isReply ? 1 : 0]
            var content = open.removeValue(forKey: key) ?? ByteBuffer()
            switch recorded.direction {
            case .toServer: try toServer.decode(header, frame: frame, to: &content)
            case .toClient: try toClient.decode(header, frame: frame, to: &content)
            }
            guard !recorded.isMoreComing else {
                open[key] = content
                continue
            }
            let properties = try PropertyBlock.decode(from: &content, limit: BLIPLimits().propertyBytes) ?? [:]
            messages.append(
                RecordedMessage(
                    record: record.number, direction: recorded.direction,
                    message: BLIPMessage(
                        kind: !isReply ? .request : recorded.type == .error ? .error : .response,
                        number: header.number, properties: properties, body: content,
                        isUrgent: recorded.flags & 0x10 != 0, isCompressed: recorded.flags & 0x08 != 0,
                        isNoReply: recorded.flags & 0x20 != 0)))
        }
        self.messages = messages
    }

    /// The request that a reply answers.
    func request(for reply: RecordedMessage) -> RecordedMessage? {
        messages.first {
            $0.message.kind == .request && $0.number == reply.number && $0.direction != reply.direction
        }
    }

    /// Every conversation of every recording.
    static func all() throws -> [MessageLog] {
        try Transcript.names().flatMap { name in
            let transcript = try Transcript.load(name)
            return try transcript.connections.map { try MessageLog(transcript, connection: $0) }
        }
    }
}

extension BLIPRequest {
    /// As the peer would receive it.
    func received(number: UInt32 = 1) -> BLIPMessage {
        var content = ByteBuffer()
        if case .bytes(let bytes) = body { content = bytes }
        return BLIPMessage(
            kind: .request, number: number, properties: properties, body: content, isUrgent: isUrgent,
            isCompressed: isCompressed, isNoReply: isNoReply)
    }
}
