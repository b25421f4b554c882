import DocumentValues

extension DocumentBody {
    /// A body as a client stores it, made of the two parts of a message (§3.6).
    ///
    /// Entries that only repeat blobs of the body are left out. A user of a REST API may have replaced the attachment of a
    /// blob: then the blob gets the entry's digest, length and type. The other entries stay with the body.
    ///
    /// - Parameter body: the JSON of an object without reserved members.
    package init(_ body: [UInt8], attachments: AttachmentList) throws(JSONError) {
        var tree = try JSONValue(parsing: body)
        var bytes = body
        var references = tree.blobReferences()
        let named = BlobEntries(attachments, of: references)
        if named.replaced.contains(where: { $0 != nil }) {
            var rest = named.replaced[...]
            tree = tree.replacingBlobs(with: &rest)
            bytes = tree.bytes
            references = tree.blobReferences()
        }
        let others = attachments.entries.filter { !named.isBlob($0.name) }
        if !others.isEmpty { bytes = AttachmentSplice.joined(bytes, with: AttachmentList(entries: others).object) }
        self.init(
            bytes: bytes, blobs: references.map(\.metadata),
            attachments: others.compactMap { BlobMetadata(attachment: $0.value) })
    }
}

/// Entries of `_attachments` that are about blobs of the body.
private struct BlobEntries {
    /// One for each blob: the entry that replaces its metadata.
    let replaced: [JSONObject?]
    private let pointers: Set<Name>

    init(_ attachments: AttachmentList, of references: [BlobReference]) {
        let names = PointerNames(
            attachments.entries.compactMap { entry in
                entry.name.droppingExactPrefix(AttachmentSplice.blobPrefix).map { (pointer: $0, value: entry) }
            })
        var pointers: Set<Name> = []
        replaced = references.map { reference -> JSONObject? in
            guard let (pointer, entry) = names.find(reference) else { return nil }
            pointers.insert(Name(pointer))
            return entry.digest.map { $0 == Name(reference.metadata.digest.text) } ?? true ? nil : entry.object
        }
        self.pointers = pointers
    }

    /// Whether an attachment only repeats a blob of the body: by its path, or by a number as older clients named it.
    func isBlob(_ name: String) -> Bool {
        guard let rest = name.droppingExactPrefix(AttachmentSplice.blobPrefix) else { return false }
        if let first = rest.utf8.first, (0x30...0x39).contains(first) { return true }
        return pointers.contains(Name(rest))
    }
}

extension JSONValue {
    /// The value with another digest, length and type in some of its blob dictionaries.
    ///
    /// - Parameter entries: one for each of `blobReferences()`, `nil` for unchanged ones; they are removed from the
    ///   front.
    fileprivate func replacingBlobs(with entries: inout ArraySlice<JSONObject?>) -> JSONValue {
        switch self {
        case .object(var object):
            if BlobMetadata(object) != nil {
                guard let entry = entries.popFirst() ?? nil else { return self }
                for key in [
                    BlobMetadata.digestProperty, BlobMetadata.lengthProperty, BlobMetadata.contentTypeProperty,
                ] {
                    object[key] = entry[key] ?? object[key]
                }
                return .object(object)
            }
            return .object(
                JSONObject(
                    members: object.members.map { member in
                        JSONObject.Member(key: member.key, value: member.value.replacingBlobs(with: &entries))
                    }))
        case .array(let elements): return .array(elements.map { $0.replacingBlobs(with: &entries) })
        case .null, .bool, .number, .string: return self
        }
    }
}
