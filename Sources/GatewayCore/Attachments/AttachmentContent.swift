import DocumentValues

/// The content of an attachment that a document to be stored only names by its digest.
package enum AttachmentContent: Sendable {
    case bytes([UInt8])
    case staged(StagedAttachment)
    /// The document has the bytes already, and the writer has proved to have them as well.
    case proved

    /// `nil` if there are no new bytes.
    var length: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .staged(let attachment): attachment.length
        case .proved: nil
        }
    }

    /// Bytes of received content that is not stored yet.
    var bytesOnDisk: Int {
        switch self {
        case .staged(let attachment): attachment.bytesOnDisk
        case .bytes, .proved: 0
        }
    }

    /// `nil` if there are no new bytes.
    var digest: BlobDigest? {
        switch self {
        case .bytes(let bytes): BlobDigest(of: bytes)
        case .staged(let attachment): attachment.digest
        case .proved: nil
        }
    }

    /// Up to `count` of the new bytes, from `offset`.
    func read(from offset: Int, count: Int) throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
        case .staged(let attachment): try attachment.read(from: offset, count: count)
        case .proved: []
        }
    }
}
