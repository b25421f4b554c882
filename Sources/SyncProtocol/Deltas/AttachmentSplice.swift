import DocumentValues

/// Blobs in the form for a gateway: listed in a top-level `_attachments`, beside the unchanged dictionaries in the body
/// (§3.6).
enum AttachmentSplice {
    static let member = ReservedMember.attachments.name
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
        try message(of: body, position: position, over: before).body
    }

    /// The same, and beside it the `_attachments` that it has.
    static func message(
        of body: [UInt8], position: UInt32, over before: RemoteAttachments = .nothing
    ) throws(Failure) -> (body: [UInt8], attachments: JSONObject) {
        do throws(JSONError) {
            let document = try JSONValue(parsing: body)
            let present = document[member]?.objectValue ?? [:]
            let blobs = document.blobReferences()
            guard !blobs.isEmpty else { return (body, present) }
            if areShort(blobs) {
                let attachments = entries(of: blobs, beside: present, position: position, over: before)
                let rest = try JSONTopLevel(scanning: body).removing(from: body) { $0 == member }
                return (joined(rest, with: attachments), attachments)
            }
        } catch { throw .notJSON(error) }
        throw .namesTooLong
    }

    /// A body that has no such member, with these attachments.
    static func joined(_ body: [UInt8], with attachments: JSONObject) -> [UInt8] {
        var spliced: [UInt8] = []
        JSONWriter.appendString(member, to: &spliced)
        spliced.append(UInt8(ascii: ":"))
        JSONWriter().append(.object(attachments), to: &spliced)
        return appendingMembers(spliced, toObject: body)
    }

    /// Members of a blob that an entry of `_attachments` must not have: there they would give the location of the bytes, or
    /// the bytes themselves.
    private static let meaningful = [BlobMetadata.typeProperty, "data", "follows", "stub", "revpos"]

    private static func entries(
        of blobs: [BlobReference], beside present: JSONObject, position: UInt32, over before: RemoteAttachments
    ) -> JSONObject {
        // Attachments of other clients are sent back unchanged.
        var entries = present.members.filter { !$0.key.hasExactPrefix(blobPrefix) }
        for blob in blobs {
            var entry = blob.object.filter { name in !meaningful.contains { $0.isExactly(name) } }
            entry["stub"] = true
            entry["revpos"] = .int(position)
            entries.append(JSONObject.Member(key: before.name(of: blob), value: .object(entry)))
        }
        return JSONObject(members: entries)
    }
}
