/// A document's body as a client keeps it: the JSON of an object, with the blobs that it names. Both are determined once,
/// when the body is made or received, and stay together.
package struct DocumentBody: Sendable, Hashable {
    /// JSON without reserved members, except for `_attachments` of other clients.
    package let bytes: [UInt8]
    /// From its blob dictionaries, in the order of the document; a blob that occurs twice is listed twice.
    package let blobs: [BlobMetadata]
    /// From the entries of `_attachments`.
    package let attachments: [BlobMetadata]

    /// A body without content, such as that of a deletion: `{}`.
    package static let empty = DocumentBody(bytes: Array("{}".utf8), blobs: [], attachments: [])

    /// - Parameter bytes: the JSON of an object, whose blobs the caller knows.
    package init(bytes: [UInt8], blobs: [BlobMetadata], attachments: [BlobMetadata]) {
        self.bytes = bytes
        self.blobs = blobs
        self.attachments = attachments
    }

    /// - Throws: if the bytes are not the JSON of an object.
    package init(reading bytes: [UInt8]) throws(JSONError) {
        _ = try JSONTopLevel(scanning: bytes)
        try self.init(scanned: bytes)
    }

    /// - Parameter bytes: the JSON of an object, already checked.
    package init(scanned bytes: [UInt8]) throws(JSONError) {
        if mayContainBlobs(bytes) {
            self.init(try JSONObject(parsing: bytes), bytes: bytes)
        } else {
            self.init(bytes: bytes, blobs: [], attachments: [])
        }
    }

    package init(_ object: JSONObject) {
        let bytes = object.bytes
        if mayContainBlobs(bytes) {
            self.init(object, bytes: bytes)
        } else {
            self.init(bytes: bytes, blobs: [], attachments: [])
        }
    }

    package init(written text: ObjectText) {
        if mayContainBlobs(text.bytes) {
            self.init(text.object, bytes: text.bytes)
        } else {
            self.init(bytes: text.bytes, blobs: [], attachments: [])
        }
    }

    private init(_ object: JSONObject, bytes: [UInt8]) {
        self.init(
            bytes: bytes, blobs: JSONValue.object(object).blobReferences().map(\.metadata),
            attachments: (object["_attachments"]?.objectValue?.members ?? []).compactMap {
                BlobMetadata(attachment: $0.value)
            })
    }

    /// Blobs and attachments.
    package var named: [BlobMetadata] { blobs + attachments }

    /// Of blobs and attachments.
    package var digests: Set<BlobDigest> { blobs.isEmpty && attachments.isEmpty ? [] : Set(named.map(\.digest)) }

    package static func == (left: DocumentBody, right: DocumentBody) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
