import BLIPProtocol
import NIOCore
import SeededRandom
import Testing

/// Bytes written as hexadecimal pairs.
func hex(_ text: String) -> ByteBuffer {
    let digits = text.filter { !$0.isWhitespace }
    var bytes: [UInt8] = []
    var index = digits.startIndex
    while index < digits.endIndex {
        let next = digits.index(index, offsetBy: 2)
        bytes.append(UInt8(digits[index..<next], radix: 16) ?? 0)
        index = next
    }
    return ByteBuffer(bytes: bytes)
}

extension BLIPLimits {
    /// Compresses as the reference senders do, to the byte.
    static var reference: BLIPLimits {
        var limits = BLIPLimits()
        limits.compression.level = 6
        limits.compression.windowBits = 15
        limits.compression.memoryLevel = 8
        return limits
    }
}

extension BLIPEngine {
    /// All frames that may be sent now.
    mutating func frames() throws(BLIPError) -> [ByteBuffer] {
        var frames: [ByteBuffer] = []
        while let frame = try nextFrame() { frames.append(frame) }
        return frames
    }

    /// What came in with these frames; that our own requests were sent is left out.
    mutating func receive(all frames: [ByteBuffer]) throws(BLIPError) -> [BLIPIncoming] {
        for frame in frames { try receive(frame) }
        return takeReceived()
    }

    mutating func takeReceived() -> [BLIPIncoming] { takeEvents().filter { !$0.isSent } }

    mutating func send(
        _ properties: BLIPProperties, _ body: BLIPBody = .empty, tag: UInt64 = 0, isUrgent: Bool = false,
        isCompressed: Bool = false, isNoReply: Bool = false, streamsReply: Bool = false, isOrdered: Bool = false
    ) throws(BLIPError) {
        let request = BLIPRequest(
            properties: properties, body: body, isUrgent: isUrgent, isCompressed: isCompressed, isNoReply: isNoReply,
            streamsReply: streamsReply, isOrdered: isOrdered)
        try enqueue(.request(request, tag: tag))
    }
}

/// Passes frames between two engines until both are silent.
func exchange(_ first: inout BLIPEngine, _ second: inout BLIPEngine) throws(BLIPError) {
    while true {
        let forth = try first.nextFrame()
        if let forth { try second.receive(forth) }
        let back = try second.nextFrame()
        if let back { try first.receive(back) }
        if forth == nil, back == nil { return }
    }
}

/// The code of the error that the body throws.
func code(_ body: () throws(BLIPError) -> Void) -> BLIPError.Code? {
    do throws(BLIPError) {
        try body()
        return nil
    } catch {
        return error.code
    }
}

extension BLIPIncoming {
    var request: BLIPMessage? { if case .request(let message) = self { message } else { nil } }
    var isSent: Bool { if case .sent = self { true } else { false } }
    var response: BLIPMessage? { if case .response(_, let message) = self { message } else { nil } }
}

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}
