import BLIPProtocol
import NIOCore

/// Takes the bodies of messages from their frames, since the recording only contains bodies of up to 4 KB.
public enum TranscriptBodies {
    /// The bodies of one connection's messages, each at the index of the message's last frame.
    public static func read(_ frames: [TranscriptFrame]) throws -> [[UInt8]?] {
        var bodies = [[UInt8]?](repeating: nil, count: frames.count)
        for direction in [TranscriptDirection.toServer, .toClient] {
            var decoder = FrameDecoder(limits: BLIPLimits())
            var open: [MessageKey: ByteBuffer] = [:]
            for (index, recorded) in frames.enumerated() where recorded.direction == direction {
                guard recorded.acknowledgedBytes == nil else { continue }
                var frame = ByteBuffer(bytes: recorded.bytes)
                let header = try FrameHeader(reading: &frame)
                let key = MessageKey(number: header.number, isReply: header.type != .request)
                var content = open.removeValue(forKey: key) ?? ByteBuffer()
                try decoder.decode(header, frame: frame, to: &content)
                if recorded.isMoreComing {
                    open[key] = content
                } else {
                    bodies[index] = try body(&content, of: recorded)
                }
            }
        }
        return bodies
    }

    private static func body(_ content: inout ByteBuffer, of frame: TranscriptFrame) throws -> [UInt8] {
        _ = try PropertyBlock.decode(from: &content, limit: BLIPLimits().propertyBytes)
        let bytes = Array(content.readableBytesView)
        if let expected = frame.message?.body.bytes, expected != bytes {
            throw TranscriptError("the body of message \(frame.number) is not what was recorded beside it")
        }
        return bytes
    }
}
