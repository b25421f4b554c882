import DocumentValues

/// The attachments that a new revision may keep without their bytes.
struct AttachmentBase: Sendable {
    /// The attachments of the parent revision by their names, if the writer may see it.
    let known: [Name: AttachmentEntry]
    /// Digests of content that the document has and the writer may not see. The writer has to send it, or prove to have
    /// it: otherwise the writer could read it in the new revision.
    let hidden: Set<Name>
    /// Digests of all attachments of the document.
    let stored: Set<Name>

    init(_ state: DocumentState?, parent: RevisionID?, rules: WriteRules) {
        guard let state else {
            known = [:]
            hidden = []
            stored = []
            return
        }
        let attachments = state.attachments(for: parent, seenBy: rules.view)
        known = Dictionary(attachments.map { (Name($0.name), $0) }, uniquingKeysWith: { $1 })
        hidden = state.hiddenDigests(from: rules.view)
        stored = state.digests
    }
}

/// The new attachments of a revision: the metadata to keep, and the content that is new. Pure.
struct AttachmentPlan: Sendable {
    /// `nil` if there are none.
    let metadata: StoredAttachments?
    /// Stored unless the document has it already.
    let content: [Name: AttachmentContent]
    /// Names of new entries whose bytes were neither sent nor stored. Sync Gateway accepts them; clients wait for them in
    /// vain.
    let missing: Set<Name>

    /// - Parameters:
    ///   - size: bytes of one attachment.
    ///   - position: the `revpos` of attachments that come with the new revision.
    init(
        _ incoming: AttachmentList?, base: AttachmentBase, size: Int, provided: [BlobDigest: AttachmentContent],
        position: UInt32
    ) throws(GatewayError) {
        let withheld = base.hidden.isEmpty ? [] : base.hidden.subtracting(provided.keys.map { Name($0.text) })
        // There may be thousands, so none is searched for among the others.
        var metadata: [AttachmentEntry] = []
        var content: [Name: AttachmentContent] = [:]
        var missing: Set<Name> = []
        for sent in incoming?.entries ?? [] {
            guard let object = sent.object else { throw GatewayError.invalidAttachments }
            var entry = sent
            if let current = Self.unchanged(sent, base: base) {
                // Another entry may have brought the same bytes.
                entry = current
            } else if let new = try Self.content(of: sent, provided: provided), let length = new.length,
                let digest = new.digest?.text
            {
                guard length <= size else { throw GatewayError.attachmentTooLarge }
                // A digest or length that the client got wrong is replaced by the true one.
                content[Name(digest)] = new
                let stub = Self.stub(object, digest: digest, length: length, position: position)
                entry = AttachmentEntry(name: sent.name, object: stub)
            } else {
                entry = try Self.known(sent, object: object, base: base)
                guard !withheld.contains(entry.digest ?? "") else {
                    throw GatewayError.hiddenAttachment(sent.name)
                }
                if Self.isMissing(entry, base: base) { missing.insert(Name(sent.name)) }
            }
            metadata.append(entry)
        }
        self.metadata = StoredAttachments(entries: metadata)
        self.content = content
        self.missing = missing
    }

    /// For the sync function, with `missing` for entries without bytes.
    var shown: JSONObject? {
        guard let metadata, !missing.isEmpty else { return metadata?.object }
        return JSONObject(
            members: metadata.object.members.map { member in
                guard missing.contains(Name(member.key)), var entry = member.value.objectValue else { return member }
                entry["missing"] = true
                return JSONObject.Member(key: member.key, value: .object(entry))
            })
    }

    private static func isMissing(_ entry: AttachmentEntry, base: AttachmentBase) -> Bool {
        guard let digest = entry.digest, !base.stored.contains(digest) else { return false }
        return base.known[Name(entry.name)]?.digest != digest
    }

    private static func unchanged(_ entry: AttachmentEntry, base: AttachmentBase) -> AttachmentEntry? {
        guard entry.isStub, let digest = entry.digest, let current = base.known[Name(entry.name)],
            current.digest == digest
        else { return nil }
        return current
    }

    /// The content that came with an entry: in it, or beside the document.
    private static func content(
        of entry: AttachmentEntry, provided: [BlobDigest: AttachmentContent]
    ) throws(GatewayError) -> AttachmentContent? {
        if let text = entry.data {
            guard let bytes = Base64.decode(text) ?? wrapped(text) else {
                let position = text.utf8.firstIndex { !isBase64($0) && !isLineBreak($0) }
                let offset = position.map { text.utf8.distance(from: text.utf8.startIndex, to: $0) } ?? text.utf8.count
                throw GatewayError.invalidBase64(at: offset)
            }
            return .bytes(bytes)
        }
        return provided.isEmpty ? nil : entry.blob.flatMap { provided[$0] }
    }

    /// Base64 in lines, as `base64` prints it.
    private static func wrapped(_ text: String) -> [UInt8]? {
        guard text.utf8.contains(where: isLineBreak) else { return nil }
        return Base64.decode(String(decoding: text.utf8.filter { !isLineBreak($0) }, as: UTF8.self))
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// An entry without bytes: the former entry of that name, or a stub with a digest. If the digest is of content that
    /// is not here, the former entry stays.
    private static func known(
        _ entry: AttachmentEntry, object: JSONObject, base: AttachmentBase
    ) throws(GatewayError) -> AttachmentEntry {
        guard entry.isStub else { throw missingData(entry.name) }
        let digest = entry.digest
        let current = base.known[Name(entry.name)]
        if let current, digest == nil { return current }
        if let current, let digest, !base.stored.contains(digest) { return current }
        guard digest != nil else {
            throw GatewayError.missingDigest(of: entry.name)
        }
        return AttachmentEntry(name: entry.name, object: sorted(object))
    }

    private static func missingData(_ name: String) -> GatewayError {
        GatewayError.missingData(of: name)
    }

    private static func stub(_ entry: JSONObject, digest: String, length: Int, position: UInt32) -> JSONObject {
        var stub = JSONObject()
        for name in ["content_type", "encoding"] where entry[name]?.stringValue != nil { stub[name] = entry[name] }
        stub["digest"] = .string(digest)
        // If the bytes are encoded, only the encoded length is known.
        stub[stub["encoding"] == nil ? "length" : "encoded_length"] = .int(length)
        stub["revpos"] = .int(position)
        stub["stub"] = true
        return sorted(stub)
    }

    private static func sorted(_ object: JSONObject) -> JSONObject {
        JSONObject(members: object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }
}
