import DocumentValues

/// Bodies as differences. What travels is compared as it travels, with `_attachments`, which nobody stores that way
/// here: the member is made anew from the blobs of the body.
enum DeltaBody {
    /// The body after a difference, with the reserved members that it has on the wire; `nil` if the two do not fit.
    static func patched(_ source: [UInt8], _ revision: RevisionID, with delta: [UInt8]) -> [UInt8]? {
        do {
            let hasBlobs = mayContainBlobs(source)
            let wire = hasBlobs ? try AttachmentSplice.body(source, generation: revision.generation) : source
            return try JSONDelta.apply(JSONValue(parsing: delta), to: JSONObject(parsing: wire)).bytes
        } catch {
            // The peer sends the whole then: why this did not fit changes nothing.
            return nil
        }
    }

    /// What to send instead of `wire` to a gateway that has `base`; `nil` if that is no gain.
    ///
    /// `_attachments` are sent as a whole: the gateway's differ from what is made of `base` in their numbers of
    /// revisions.
    static func difference(from base: [UInt8], to wire: [UInt8]) -> [UInt8]? {
        guard wire.count >= SyncLimits.smallestDeltaBody, let old = try? JSONObject(parsing: base),
            let new = try? JSONObject(parsing: wire)
        else { return nil }
        let isContent = { (key: String) in key != AttachmentSplice.member }
        var delta = JSONDelta.difference(from: old.filter(isContent), to: new.filter(isContent))
        if let attachments = new[AttachmentSplice.member] {
            delta[AttachmentSplice.member] = [attachments]
        } else if old[AttachmentSplice.member] != nil || !JSONValue.object(old).blobReferences().isEmpty {
            delta[AttachmentSplice.member] = []
        }
        let bytes = delta.bytes
        return bytes.count < wire.count ? bytes : nil
    }
}
