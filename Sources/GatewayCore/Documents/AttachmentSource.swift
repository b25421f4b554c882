import BLIPProtocol
import NIOCore

/// Hands an attachment to a connection while it is sent, one stored piece at a time, so that it takes little memory,
/// however many are sent at once.
///
/// It reads on the connection's event loop, on which it is called: one indexed row, for which it waits no longer than other
/// loops need for theirs (`InPlaceReader.attachment`).
struct AttachmentSource: BLIPBodySource {
    private let reader: AttachmentReader
    private let inPlace: any InPlaceReader
    private var position = 0
    private var piece = ByteBuffer()

    /// `nil` where the store reads nothing in place.
    init?(_ reader: AttachmentReader) {
        guard let inPlace = reader.store.inPlace else { return nil }
        self.reader = reader
        self.inPlace = inPlace
    }

    mutating func read(upTo count: Int) throws -> ByteBuffer? {
        if piece.readableBytes == 0 {
            guard position < reader.length else { return nil }
            let bytes = try reader.readNow(from: position, count: GatewayLimits.attachmentPiece, by: inPlace)
            position += bytes.count
            piece = ByteBuffer(bytes: bytes)
        }
        return piece.readSlice(length: min(count, piece.readableBytes))
    }
}
