import NIOCore

/// The kind of message to which a frame belongs, or which it acknowledges.
package enum FrameType: UInt8, Sendable {
    case request = 0
    case response = 1
    case error = 2
    case acknowledgeRequest = 4
    case acknowledgeReply = 5
}

/// The flags of a frame, without its type.
package struct FrameFlags: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let compressed = FrameFlags(rawValue: 0x08)
    package static let urgent = FrameFlags(rawValue: 0x10)
    package static let noReply = FrameFlags(rawValue: 0x20)
    package static let moreComing = FrameFlags(rawValue: 0x40)

    /// The flags that both reference implementations set on an acknowledgement.
    static let acknowledgement: FrameFlags = [.urgent, .noReply]
}

/// The two varints at the beginning of each frame.
package struct FrameHeader: Sendable {
    private static let typeMask: UInt64 = 0x07

    package var number: UInt32
    package var type: FrameType
    package var flags: FrameFlags

    init(number: UInt32, type: FrameType, flags: FrameFlags) {
        self.number = number
        self.type = type
        self.flags = flags
    }

    package init(reading frame: inout ByteBuffer) throws(BLIPError) {
        guard frame.readableBytes >= 2 else {
            throw BLIPError(.frameTooShort, detail: "a frame of \(frame.readableBytes) bytes has no header")
        }
        guard let number = frame.readVarint(), let flags = frame.readVarint() else {
            throw BLIPError(.badVarint, detail: "a frame's header is cut off or longer than 10 bytes")
        }
        guard let number = UInt32(exactly: number), number > 0 else {
            throw BLIPError(.unexpectedNumber, detail: "\(number) is no message number")
        }
        guard let type = FrameType(rawValue: UInt8(flags & Self.typeMask)) else {
            throw BLIPError(.unknownFrameType, detail: "type \(flags & Self.typeMask)", messageNumber: number)
        }
        self.number = number
        self.type = type
        // Bits above the known ones have no meaning yet.
        self.flags = FrameFlags(rawValue: UInt8(truncatingIfNeeded: flags) & ~UInt8(Self.typeMask))
    }

    func write(to frame: inout ByteBuffer) {
        frame.writeVarint(UInt64(number))
        frame.writeInteger(flags.rawValue | type.rawValue)
    }
}

/// Which message a frame belongs to: both directions number their requests on their own, and a reply has the number of
/// its request.
package struct MessageKey: Sendable, Hashable {
    package var number: UInt32
    package var isReply: Bool

    package init(number: UInt32, isReply: Bool) {
        self.number = number
        self.isReply = isReply
    }
}
