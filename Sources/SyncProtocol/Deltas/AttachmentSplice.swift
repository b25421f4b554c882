import DocumentValues

/// Blobs in the form for a gateway: listed in a top-level `_attachments`, beside the unchanged dictionaries in the body
/// (§3.6).
enum AttachmentSplice {
    static let member = "_attachments"
    static let blobPrefix = "blob_"

    /// Why a body cannot be sent.
    enum Failure: Error {
        case notJSON(JSONError)
        /// The names of its blobs are together longer than a document: each name repeats the path to the blob.
        case namesTooLong
    }

    /// Whether the names of blobs are together no longer than a document may be.
    static func areShort(_ blobs: [BlobReference]) -> Bool {
        blobs.reduce(0) { $0 + $1.pointerLength } <= SyncLimits.blobNameBytes
    }

    /// `body` with an entry for each of its blobs. The rest of the body keeps its bytes.
    ///
    /// - Parameters:
    ///   - position: the revision's, as `revpos` of each entry.
    ///   - before: the attachments of the preceding revision.
    static func body(
        _ body: [UInt8], position: UInt32, over before: RemoteAttachments = .nothing
    ) throws(Failure) -> [UInt8] {
        do throws(JSONError) {
            let document = try JSONValue(parsing: body)
            let blobs = document.blobReferences()
            guard !blobs.isEmpty else { return body }
            if areShort(blobs) {
                return try splice(blobs, of: document, into: body, position: position, over: before)
            }
        } catch { throw .notJSON(error) }
        throw .namesTooLong
    }

    /// Members of a blob that an entry of `_attachments` must not have: there they would give the location of the bytes, or
    /// the bytes themselves.
    private static let meaningful = [BlobMetadata.typeProperty, "data", "follows", "stub", "revpos"]

    private static func splice(
        _ blobs: [BlobReference], of document: JSONValue, into body: [UInt8], position: UInt32,
        over before: RemoteAttachments
    ) throws(JSONError) -> [UInt8] {
        var entries: [JSONObject.Member] = []
        // Attachments of other clients are sent back unchanged.
        for other in document[member]?.objectValue?.members ?? [] where !other.key.hasExactPrefix(blobPrefix) {
            entries.append(other)
        }
        for blob in blobs {
            var entry = blob.object.filter { name in !meaningful.contains { $0.isExactly(name) } }
            entry["stub"] = true
            entry["revpos"] = .int(position)
            entries.append(JSONObject.Member(key: before.name(of: blob), value: .object(entry)))
        }
        var spliced: [UInt8] = []
        JSONWriter.appendString(member, to: &spliced)
        spliced.append(UInt8(ascii: ":"))
        JSONWriter().append(.object(JSONObject(members: entries)), to: &spliced)
        let rest = try JSONTopLevel(scanning: body).removing(from: body) { $0 == member }
        return appendingMembers(spliced, toObject: rest)
    }
}
