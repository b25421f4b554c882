import DocumentValues

/// Reads a stored attachment piece by piece, so that memory stays bounded for any size.
package struct AttachmentReader: Sendable {
    package let length: Int
    let store: any GatewayStore
    let document: Int64
    let digest: Name

    /// Up to `count` bytes from `offset`. Throws 404 if the attachment was deleted since.
    package func read(from offset: Int, count: Int) async throws -> [UInt8] {
        let (document, digest) = (document, digest)
        let wanted = max(0, min(count, length - offset))
        guard wanted > 0 else { return [] }
        let bytes = try await store.read { store in
            try await store.attachments.read(digest, of: document, from: offset, count: wanted)
        }
        guard bytes.count == wanted else { throw GatewayError.missing }
        return bytes
    }

    /// The same at once, for callers that must not be suspended.
    func readNow(from offset: Int, count: Int, by inPlace: any InPlaceReader) throws -> [UInt8] {
        let wanted = max(0, min(count, length - offset))
        guard wanted > 0 else { return [] }
        let bytes = try inPlace.attachment(digest, of: document, from: offset, count: wanted)
        guard bytes.count == wanted else { throw GatewayError.missing }
        return bytes
    }

    /// The answer that a client who has the same bytes gives to `proveAttachment`.
    func proof(nonce: [UInt8]) async throws -> BlobDigest {
        var builder = BlobDigestBuilder(provingWith: nonce)
        var position = 0
        while position < length {
            let piece = try await read(from: position, count: GatewayLimits.attachmentPiece)
            builder.update(piece)
            position += piece.count
        }
        return builder.finish()
    }

    package func bytes() async throws -> [UInt8] { try await read(from: 0, count: length) }
}
