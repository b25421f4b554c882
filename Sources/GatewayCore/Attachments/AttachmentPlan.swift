import DocumentValues

/// The attachments that a new revision may keep without their bytes.
struct AttachmentBase: Sendable {
    /// The `_attachments` of the parent revision, if the writer may see it.
    let known: [Name: JSONObject]
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
        let attachments = state.attachments(for: parent, seenBy: rules.view) ?? [:]
        known = Dictionary(
            attachments.compactMap { member in member.value.objectValue.map { (Name(member.key), $0) } },
            uniquingKeysWith: { $1 })
        hidden = state.hiddenDigests(from: rules.view)
        stored = state.digests
    }
}

/// The new `_attachments` of a revision: the metadata to keep, and the content that is new. Pure.
struct AttachmentPlan: Sendable {
    /// name → `{content_type?, digest, length, revpos, stub}`; `nil` if there are none.
    let metadata: JSONObject?
    /// Stored unless the document has it already.
    let content: [Name: AttachmentContent]
    /// Names of new entries whose bytes were neither sent nor stored. Sync Gateway accepts them; clients wait for them in
    /// vain.
    let missing: Set<Name>

    /// - Parameters:
    ///   - size: bytes of one attachment.
    ///   - position: the `revpos` of attachments that come with the new revision.
    init(
        _ incoming: JSONObject?, base: AttachmentBase, size: Int, provided: [BlobDigest: AttachmentContent],
        position: UInt32
    ) throws(GatewayError) {
        let withheld = base.hidden.isEmpty ? [] : base.hidden.subtracting(provided.keys.map { Name($0.text) })
        // There may be thousands, so none is searched for among the others.
        var metadata: [JSONObject.Member] = []
        var content: [Name: AttachmentContent] = [:]
        var missing: Set<Name> = []
        for member in incoming ?? [:] {
            guard var entry = member.value.objectValue else { throw GatewayError(400, reason: "Invalid _attachments") }
            if let current = Self.unchanged(member.key, entry: entry, base: base) {
                // Another entry may have brought the same bytes.
                entry = current
            } else if let new = try Self.content(entry, provided: provided), let length = new.length,
                let digest = new.digest?.text
            {
                guard length <= size else { throw GatewayError(413, reason: "Attachment too large") }
                // A digest or length that the client got wrong is replaced by the true one.
                content[Name(digest)] = new
                entry = Self.stub(entry, digest: digest, length: length, position: position)
            } else {
                entry = try Self.known(member.key, entry: entry, base: base)
                guard !withheld.contains(Name(entry["digest"]?.stringValue ?? "")) else {
                    throw GatewayError(
                        403, reason: "Attachment \"\(member.key)\" belongs to a revision that you may not see")
                }
                if Self.isMissing(member.key, entry: entry, base: base) { missing.insert(Name(member.key)) }
            }
            metadata.append(JSONObject.Member(key: member.key, value: .object(entry)))
        }
        self.metadata = metadata.isEmpty ? nil : JSONObject(members: metadata)
        self.content = content
        self.missing = missing
    }

    /// For the sync function, with `missing` for entries without bytes.
    var shown: JSONObject? {
        guard let metadata, !missing.isEmpty else { return metadata }
        return JSONObject(
            members: metadata.members.map { member in
                guard missing.contains(Name(member.key)), var entry = member.value.objectValue else { return member }
                entry["missing"] = true
                return JSONObject.Member(key: member.key, value: .object(entry))
            })
    }

    private static func isMissing(_ name: String, entry: JSONObject, base: AttachmentBase) -> Bool {
        guard let digest = entry["digest"]?.stringValue, !base.stored.contains(Name(digest)) else { return false }
        return base.known[Name(name)]?["digest"] != entry["digest"]
    }

    private static func unchanged(_ name: String, entry: JSONObject, base: AttachmentBase) -> JSONObject? {
        guard entry["stub"]?.boolValue == true, let digest = entry["digest"], let current = base.known[Name(name)],
            current["digest"] == digest
        else { return nil }
        return current
    }

    /// The content that came with an entry: in it, or beside the document.
    private static func content(
        _ entry: JSONObject, provided: [BlobDigest: AttachmentContent]
    ) throws(GatewayError) -> AttachmentContent? {
        if let text = entry["data"]?.stringValue {
            guard let bytes = Base64.decode(text) ?? wrapped(text) else {
                let position = text.utf8.firstIndex { !isBase64($0) && !isLineBreak($0) }
                let offset = position.map { text.utf8.distance(from: text.utf8.startIndex, to: $0) } ?? text.utf8.count
                throw GatewayError(400, reason: "illegal base64 data at input byte \(offset)")
            }
            return .bytes(bytes)
        }
        return entry["digest"]?.stringValue.flatMap(BlobDigest.init).flatMap { provided[$0] }
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
        _ name: String, entry: JSONObject, base: AttachmentBase
    ) throws(GatewayError) -> JSONObject {
        guard entry["stub"]?.boolValue == true else { throw missingData(name) }
        let digest = entry["digest"]?.stringValue
        let current = base.known[Name(name)]
        if let current, digest == nil { return current }
        if let current, let digest, !base.stored.contains(Name(digest)) { return current }
        guard digest != nil else { throw GatewayError(400, reason: "Missing digest in stub attachment \"\(name)\"") }
        return sorted(entry)
    }

    private static func missingData(_ name: String) -> GatewayError {
        GatewayError(400, reason: "Missing data of attachment \"\(name)\"")
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

extension JSONObject {
    /// Approximate bytes of an `_attachments` object in memory: names and types may have any length.
    var weight: Int { bytes.count + 512 * count }

    /// The digests of an `_attachments` object.
    package var attachmentDigests: Set<Name> {
        Set(members.compactMap { $0.value["digest"]?.stringValue.map { Name($0) } })
    }
}
