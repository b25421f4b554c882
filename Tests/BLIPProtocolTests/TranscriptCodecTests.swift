import NIOCore
import Testing
import TranscriptSupport

@testable import BLIPProtocol

/// Every frame of every recorded conversation, one by one.
@Suite struct TranscriptCodecTests {
    @Test func everyRecordedFrameDecodes() throws {
        var count = 0
        for name in try Transcript.names() {
            let transcript = try Transcript.load(name)
            for connection in transcript.connections {
                for direction in [TranscriptDirection.toServer, .toClient] {
                    count += try decode(transcript.frames(of: connection, direction), of: name)
                }
            }
        }
        #expect(count == 3_983)
    }

    private func decode(_ frames: [TranscriptFrame], of name: String) throws -> Int {
        var decoder = FrameDecoder(limits: BLIPLimits())
        for recorded in frames {
            var frame = ByteBuffer(bytes: recorded.bytes)
            let header = try FrameHeader(reading: &frame)
            #expect(header.number == recorded.number, "\(name)")
            #expect(header.flags.rawValue | header.type.rawValue == recorded.flags, "\(name)")
            if let acknowledged = recorded.acknowledgedBytes {
                #expect(frame.readVarint() == UInt64(acknowledged), "\(name)")
                #expect(frame.readableBytes == 0)
                continue
            }
            var payload = ByteBuffer()
            try decoder.decode(header, frame: frame, to: &payload)
            #expect(payload.readableBytes == recorded.payloadCount, "\(name)")
            #expect(header.flags.contains(.moreComing) == recorded.isMoreComing, "\(name)")
        }
        return frames.count
    }
}
