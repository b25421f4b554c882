import DocumentValues

/// The attachments that a gateway has of a document before the next revision, and the names of blobs that follow from
/// them.
///
/// A blob's entry is named after its path in the body, as in Couchbase Lite. But if the client proves to a Sync Gateway
/// that it has the bytes of a blob, the Sync Gateway keeps its former entry of that name, with the old digest. If a
/// photo has moved up in a list, all other users would then get the photo that had its index before. So if a blob's
/// name may already have another digest, the blob gets a unique name, made of its path and its digest.
enum RemoteAttachments: Sendable, Hashable {
    case nothing
    /// Digests by name.
    case digests([Name: String])
    case unknown

    /// - Parameter body: the gateway's revision, as this side has stored it.
    init(body: [UInt8]?) {
        guard let body, let value = try? JSONValue(parsing: body) else {
            self = .unknown
            return
        }
        var digests: [Name: String] = [:]
        for other in value[AttachmentSplice.member]?.objectValue?.members ?? [] {
            digests[Name(other.key)] = other.value[BlobMetadata.digestProperty]?.stringValue
        }
        let blobs = value.blobReferences()
        guard AttachmentSplice.areShort(blobs) else {
            self = .unknown
            return
        }
        for blob in blobs { digests[Name(Self.pathName(of: blob))] = blob.metadata.digest.text }
        self = .digests(digests)
    }

    func name(of blob: BlobReference) -> String {
        let name = Self.pathName(of: blob)
        switch self {
        case .nothing: return name
        case .digests(let digests):
            guard let other = digests[Name(name)], !other.isExactly(blob.metadata.digest.text) else { return name }
            return Self.ownName(of: blob)
        case .unknown: return Self.ownName(of: blob)
        }
    }

    private static func pathName(of blob: BlobReference) -> String { AttachmentSplice.blobPrefix + blob.pointer }

    /// Because of the digit, every client takes the name for a blob's, as some clients numbered them, and not for an
    /// attachment beside the document. The path changes the name whenever a blob moves: so a difference cannot fit by
    /// accident if the client names its attachments differently.
    private static func ownName(of blob: BlobReference) -> String {
        "\(AttachmentSplice.blobPrefix)0\(blob.pointer)/\(blob.metadata.digest.text)"
    }
}
