import CZlib
import NIOCore

/// The CRC-32 over every payload byte of one direction since the connection began.
///
/// Because it covers all frames, it detects lost or reordered frames as well as damaged ones.
struct RunningChecksum {
    static let length = 4

    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: ByteBuffer) {
        value = bytes.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return value }
            return UInt32(
                truncatingIfNeeded: crc32(
                    uLong(value), base.assumingMemoryBound(to: Bytef.self), uInt(bytes.count)))
        }
    }
}
