import DocumentValues

/// What a gateway has attached to a document when the next revision comes, and how blobs are named for that.
///
/// A blob's entry is named after its path in the body, as Couchbase Lite does it. But a Sync Gateway to which the
/// client has proved that it has the bytes of a blob keeps the entry that it had under the name, with the old digest:
/// where a photo has moved up in a list, everybody else would get the one that was there before. So a blob whose name
/// may represent another one gets a name of its own, made of its path and its digest.
enum RemoteAttachments: Sendable, Hashable {
    case nothing
    /// Digests by name.
    case digests([Name: String])
    case unknown

    /// - Parameter body: what the gateway has, as it is stored here.
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

    /// The digit makes every client take it for a blob's, as of one that numbered them, and not for an attachment beside
    /// the document. With the path in it, the names change whenever a blob moves: a difference between attachments that
    /// a client names otherwise does not fit by accident.
    private static func ownName(of blob: BlobReference) -> String {
        "\(AttachmentSplice.blobPrefix)0\(blob.pointer)/\(blob.metadata.digest.text)"
    }
}
