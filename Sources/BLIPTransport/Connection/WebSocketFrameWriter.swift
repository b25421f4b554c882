import Glibc
import NIOCore
import NIOWebSocket

/// Writes WebSocket frames one behind the other into a buffer, so that a round of small messages is one write.
///
/// A pipeline handler that encodes each frame by itself costs as much for every acknowledgement as the socket does.
struct WebSocketFrameWriter {
    private static let longestHeader = 14
    private var keys: MaskingKeys?

    /// Clients mask their frames (RFC 6455, 5.3), servers do not.
    init(role: ConnectionRole) {
        switch role {
        case .client: keys = MaskingKeys()
        case .server: keys = nil
        }
    }

    mutating func append(_ opcode: WebSocketOpcode, payload: ByteBuffer, to buffer: inout ByteBuffer) {
        let length = payload.readableBytes
        buffer.reserveCapacity(minimumWritableBytes: length + Self.longestHeader)
        buffer.writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
        let key = keys?.next()
        let mask: UInt8 = key == nil ? 0 : 0x80
        switch length {
        case 0..<126: buffer.writeInteger(mask | UInt8(length))
        case 126...Int(UInt16.max):
            buffer.writeInteger(mask | 126)
            buffer.writeInteger(UInt16(length))
        default:
            buffer.writeInteger(mask | 127)
            buffer.writeInteger(UInt64(length))
        }
        guard let key else {
            buffer.writeImmutableBuffer(payload)
            return
        }
        buffer.writeInteger(key, endianness: .host)
        let start = buffer.readableBytes
        buffer.writeImmutableBuffer(payload)
        buffer.withUnsafeMutableReadableBytes {
            Self.mask(UnsafeMutableRawBufferPointer(rebasing: $0[start...]), with: key)
        }
    }

    private static func mask(_ bytes: UnsafeMutableRawBufferPointer, with key: UInt32) {
        let twice = UInt64(key) << 32 | UInt64(key)
        var index = 0
        while index + 8 <= bytes.count {
            let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ twice
            bytes.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        withUnsafeBytes(of: key) { key in
            while index < bytes.count {
                bytes[index] ^= key[index % 4]
                index += 1
            }
        }
    }
}

/// Unpredictable keys. The system is asked for many at once, since a call for each frame would be noticeably slow.
private struct MaskingKeys {
    /// 256 bytes, the most that the system gives at once.
    private static let portion = 64
    private var keys: [UInt32] = []

    mutating func next() -> UInt32 {
        if let key = keys.popLast() { return key }
        keys = [UInt32](repeating: 0, count: Self.portion)
        let status = keys.withUnsafeMutableBytes { getentropy($0.baseAddress!, $0.count) }
        precondition(status == 0, "the system gives no random bytes: \(errno)")
        return keys.removeLast()
    }
}
