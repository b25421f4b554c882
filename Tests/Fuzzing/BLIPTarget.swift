import NIOCore
import TranscriptSupport

@testable import BLIPProtocol

extension FuzzTarget {
    /// Headers, varints and blocks of properties by themselves.
    static let blipFrames = FuzzTarget(
        name: "blip-frames", seeds: { try Recordings.streams().flatMap { $0.prefix(4).map(\.bytes) } }
    ) { bytes in
        var varint = ByteBuffer(bytes: bytes)
        if let value = varint.readVarint() {
            var written = ByteBuffer()
            written.writeVarint(value)
            check(written.readVarint() == value, "varint \(value) does not come back")
        }
        var block = ByteBuffer(bytes: bytes)
        if let properties = try? PropertyBlock.decode(from: &block, limit: 10_000) {
            var written = try PropertyBlock.encode(properties, limit: 10_000)
            let again = try PropertyBlock.decode(from: &written, limit: 10_000)
            check(again == properties && written.readableBytes == 0, "properties do not come back")
        }
        var frame = ByteBuffer(bytes: bytes)
        _ = try FrameHeader(reading: &frame)
    }

    /// Whole conversations into an engine that awaits replies. The checksums are put right, or nothing would get past
    /// them; the first byte says whether.
    static let blipEngine = FuzzTarget(
        name: "blip-engine",
        seeds: {
            try Recordings.streams().map { frames in
                [1]
                    + frames.prefix(12).flatMap { frame -> [UInt8] in
                        let isMessage = frame.acknowledgedBytes == nil
                        return InputReader.piece(isMessage ? Array(frame.bytes.dropLast(4)) : frame.bytes)
                    }
            }
        }
    ) { bytes in
        var input = InputReader(bytes)
        var checksums = ChecksumMender()
        let mends = input.byte() & 1 == 1
        var engine = BLIPEngine(limits: .small)
        engine.outgoing.lastNumber = 1_000
        for number in UInt32(1)...40 {
            engine.replies.awaited[number] = .init(tag: 0, streams: number.isMultiple(of: 2), isExpected: true)
        }
        while !input.isAtEnd {
            let frame = ByteBuffer(bytes: input.piece())
            try engine.receive(mends ? checksums.mended(frame) : frame)
            for event in engine.takeEvents() {
                guard case .request(let request) = event else { continue }
                let properties: BLIPProperties = ["Was": request.profile ?? ""]
                try engine.enqueue(
                    .response(
                        to: request.number, properties: properties, body: .bytes(request.body),
                        isCompressed: request.isCompressed))
            }
            while try engine.nextFrame() != nil {}
        }
    }
}

extension BLIPLimits {
    /// So that a small input reaches every limit.
    static var small: BLIPLimits {
        var limits = BLIPLimits()
        limits.inflatedFrameBytes = 1 << 16
        limits.messageBytes = 1 << 17
        limits.incompleteBytes = 1 << 18
        limits.incompleteMessages = 8
        limits.unansweredRequests = 16
        limits.flow.acknowledgeBytes = 500
        limits.flow.stallBytes = 2_000
        limits.queuedBytes = 1 << 18
        limits.frameBytes = 400
        limits.frameBytesWhenUrgentWaits = 100
        return limits
    }
}

/// Appends the checksum that a frame without one ought to have.
private struct ChecksumMender: ~Copyable {
    private var inflater = Inflater()
    private var checksum = RunningChecksum()

    mutating func mended(_ frame: ByteBuffer) -> ByteBuffer {
        var payload = frame
        guard let header = try? FrameHeader(reading: &payload) else { return frame }
        switch header.type {
        case .acknowledgeRequest, .acknowledgeReply: return frame
        case .request, .response, .error: break
        }
        if header.flags.contains(.compressed) {
            var plain = ByteBuffer()
            guard (try? inflater.inflate(payload, limit: 1 << 16, to: &plain)) != nil else { return frame }
            payload = plain
        }
        checksum.update(payload)
        var whole = frame
        whole.writeInteger(checksum.value)
        return whole
    }
}
