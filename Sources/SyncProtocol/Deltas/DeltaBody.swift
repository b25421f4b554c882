import DocumentValues

/// Bodies as differences. Bodies are compared in their wire format, with `_attachments`. A client does not store this
/// member: it is made again from the blobs of the body.
package enum DeltaBody {
    // MARK: - At the client

    /// The body after a difference, with the reserved members that it has on the wire; `nil` if the two do not fit.
    static func patched(_ source: [UInt8], revision: RevisionID, with delta: [UInt8]) -> [UInt8]? {
        do {
            let hasBlobs = mayContainBlobs(source)
            let wire = hasBlobs ? try AttachmentSplice.body(source, position: revision.attachmentPosition) : source
            return try JSONDelta.apply(JSONValue(parsing: delta), to: JSONObject(parsing: wire)).bytes
        } catch {
            // The peer then sends the whole body, whatever the reason of the mismatch.
            return nil
        }
    }

    /// The difference to send to a gateway that has `base`, instead of `wire`; `nil` if it gains nothing.
    ///
    /// `_attachments` are sent as a whole: the gateway's `revpos` numbers differ from those that would be made of
    /// `base`.
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
        return worthwhile(delta, insteadOf: wire)
    }

    /// The difference if it is shorter, and if the other side can read it. A difference with too many levels ends the
    /// replication of Couchbase Lite, whereas a whole document with as many fails alone.
    private static func worthwhile(_ delta: JSONObject, insteadOf whole: [UInt8]) -> [UInt8]? {
        let bytes = delta.bytes
        return bytes.count < whole.count && levels(of: bytes) <= JSONDelta.deepest ? bytes : nil
    }

    /// How deep JSON is nested.
    static func levels(of json: [UInt8]) -> Int {
        var (level, deepest, isInString, isEscaped) = (0, 0, false, false)
        for byte in json {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isInString { level += 1 }
                deepest = max(deepest, level)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { level -= 1 }
            default: break
            }
        }
        return deepest
    }

    // MARK: - At the gateway

    /// The difference to send to a client that has `old`, instead of `new`; `nil` if it gains nothing.
    ///
    /// Changed `_attachments` are sent as a whole, even if the member is empty. A client makes the member from its
    /// blobs, and the result may differ from ours; Couchbase Lite makes none if they are to be deleted. A difference
    /// that does not fit is an error that the user sees.
    package static func wireDifference(from old: [UInt8], to new: [UInt8]) throws(JSONError) -> [UInt8]? {
        guard new.count >= SyncLimits.smallestDeltaBody else { return nil }
        var (before, after) = (try JSONObject(parsing: old), try JSONObject(parsing: new))
        let member = AttachmentSplice.member
        let attachments = (before: before[member], after: after[member])
        before[member] = nil
        after[member] = nil
        // Our clients keep other members whose names begin in the same way. Couchbase Lite does not, so its body may
        // lack them.
        guard !(before.keys + after.keys).contains(where: { $0.utf8.first == UInt8(ascii: "_") }) else { return nil }
        var delta = JSONDelta.difference(from: before, to: after)
        if attachments.before != attachments.after { delta[member] = [attachments.after ?? [:]] }
        return worthwhile(delta, insteadOf: new)
    }

    /// The body after a client's difference; `nil` if the two do not fit.
    static func wirePatched(_ source: [UInt8], with delta: [UInt8]) -> [UInt8]? {
        do {
            let delta = try JSONValue(parsing: delta)
            let whole = try JSONDelta.apply(delta, to: JSONObject(parsing: source))
            return withoutLostBlobs(whole, delta: delta).bytes
        } catch {
            // The client then sends the whole body, whatever the reason of the mismatch.
            return nil
        }
    }

    /// A client that removes the last blob of a document does not mention `_attachments` any more: so the source's
    /// entries for removed blobs are removed here.
    private static func withoutLostBlobs(_ whole: JSONObject, delta: JSONValue) -> JSONObject {
        let change = delta[AttachmentSplice.member]
        guard let attachments = whole[AttachmentSplice.member]?.objectValue, change?.arrayValue == nil else {
            return whole
        }
        let blobs = JSONValue.object(whole).blobReferences()
        let changed = Set((change?.objectValue?.keys ?? []).map { Name($0) })
        let names = Set(
            blobs.flatMap { [RemoteAttachments.nothing.name(of: $0), RemoteAttachments.unknown.name(of: $0)] }.map {
                Name($0)
            })
        let kept = attachments.filter { name in
            let isBlob = ["/", "0/"].contains { name.hasExactPrefix(AttachmentSplice.blobPrefix + $0) }
            return !isBlob || names.contains(Name(name)) || changed.contains(Name(name))
        }
        var result = whole
        result[AttachmentSplice.member] = kept.isEmpty ? nil : .object(kept)
        return result
    }
}
