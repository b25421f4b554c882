import BLIPProtocol
import NIOCore
import TranscriptSupport

/// A conversation as text, which mutates well: messages between `\u{1E}`, each a letter that says what happens, lines
/// of properties, an empty line and the body.
enum ScriptedMessages {
    struct Entry {
        /// `M` a request, `m` one that wants no reply, `R` a reply, `E` an error, `P` a part, `L` the last; anything
        /// else is for the target.
        var kind: UInt8
        /// Of a reply: which of the open questions it answers.
        var position: Int
        var message: BLIPMessage
    }

    private static let separator: UInt8 = 0x1E

    static func entries(_ bytes: [UInt8]) -> [Entry] {
        bytes.split(separator: separator).prefix(64).enumerated().map { index, part in
            entry(part, number: UInt32(index + 1))
        }
    }

    private static func entry(_ part: ArraySlice<UInt8>, number: UInt32) -> Entry {
        var rest = part.dropFirst()
        var properties = BLIPProperties()
        let position = Int(rest.popFirst() ?? 0)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
            properties[text(line[..<colon])] = text(line[(colon + 1)...])
        }
        let kind = part.first ?? 0
        let message = BLIPMessage(
            kind: kind == UInt8(ascii: "R") ? .response : kind == UInt8(ascii: "E") ? .error : .request, number: number,
            properties: properties, body: ByteBuffer(bytes: rest), isNoReply: kind == UInt8(ascii: "m"))
        return Entry(kind: kind, position: position, message: message)
    }

    /// A recorded connection's messages that went in one direction, with work between them.
    static func seeds(_ direction: TranscriptDirection, between: String) throws -> [[UInt8]] {
        let names = try Transcript.names().filter { $0 != "23-pull-1200" && $0 != "24-large-document" }
        return try names.flatMap { name -> [[UInt8]] in
            let transcript = try Transcript.load(name)
            return transcript.connections.map { connection in
                let messages = transcript.messages(of: connection, direction).prefix(24)
                return messages.map { script($0) + Array(between.utf8) }.joined().map { $0 }
            }.filter { !$0.isEmpty }
        }
    }

    static func script(_ message: TranscriptMessage) -> [UInt8] {
        let kind =
            switch message.type {
            case .request: message.isNoReply ? "m" : "M"
            case .response: "R"
            case .error: "E"
            case .acknowledgeRequest, .acknowledgeReply: "A"
            }
        let lines = message.properties.map { "\($0.key):\($0.value)\n" }.joined()
        return Array("\u{1E}\(kind) \(lines)\n".utf8) + (message.body.bytes ?? []).prefix(3_000)
    }
}
