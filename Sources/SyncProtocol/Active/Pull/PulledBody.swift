import DocumentValues

/// A pulled body in its parts: the body to store, and the blobs that it needs (§3.5, §3.6).
enum PulledBody: Sendable, Hashable {
    case document(DocumentBody)
    /// The user may not see the document any more; the associated value is the rest of its body.
    case removed([UInt8])

    /// Reserved members are cut out; all other members keep their bytes.
    init(reading received: [UInt8]) throws(JSONError) {
        var bytes = received
        let top = try JSONTopLevel(settling: &bytes)
        guard top.members.contains(where: { $0.key.utf8.first == UInt8(ascii: "_") }) else {
            self = .document(try DocumentBody(scanned: bytes))
            return
        }
        if let removed = top["_removed"], bytes[removed].elementsEqual("true".utf8) {
            self = .removed(top.removing(from: bytes, where: Self.isCutOut))
            return
        }
        let stripped = top.removing(from: bytes, where: Self.isCutOut)
        guard let range = top[AttachmentSplice.member] else {
            self = .document(try DocumentBody(scanned: stripped))
            return
        }
        let attachments = try JSONValue(parsing: Array(bytes[range])).objectValue ?? [:]
        self = .document(try Self.document(stripped, attachments: attachments))
    }

    private static func isCutOut(_ member: String) -> Bool {
        ReservedMember.isReserved(member) || member.isExactly(AttachmentSplice.member)
    }

    private static func document(_ stripped: [UInt8], attachments: JSONObject) throws(JSONError) -> DocumentBody {
        var tree = try JSONValue(parsing: stripped)
        var body = stripped
        let references = tree.blobReferences()
        let entries = Dictionary(
            attachments.members.map { (Name($0.key), $0.value) }, uniquingKeysWith: { $1 })
        let names = PointerNames(
            entries.compactMap { name, value in
                name.text.droppingExactPrefix(AttachmentSplice.blobPrefix).map { (pointer: $0, value: value) }
            })
        var pointers: Set<Name> = []
        // A REST user may have replaced the blob's attachment: its metadata count.
        let replaced = references.map { reference -> JSONObject? in
            guard let (pointer, value) = names.find(reference) else { return nil }
            pointers.insert(Name(pointer))
            let entry = value.objectValue
            let digest = entry?[BlobMetadata.digestProperty]?.stringValue
            return digest == nil || digest == reference.metadata.digest.text ? nil : entry
        }
        if replaced.contains(where: { $0 != nil }) {
            var rest = replaced[...]
            tree = tree.replacingBlobs(with: &rest)
            body = tree.bytes
        }
        let others = attachments.filter { !isBlobName($0, among: pointers) }
        if !others.isEmpty {
            var member: [UInt8] = []
            JSONWriter.appendString(AttachmentSplice.member, to: &member)
            member.append(UInt8(ascii: ":"))
            member += others.bytes
            body = appendingMembers(member, toObject: body)
        }
        return DocumentBody(
            bytes: body, blobs: tree.blobReferences().map(\.metadata),
            attachments: others.members.compactMap { BlobMetadata(attachment: $0.value) })
    }

    /// Whether an attachment only repeats a blob of the body: by its path, or by a number as older clients named it.
    private static func isBlobName(_ name: String, among pointers: Set<Name>) -> Bool {
        guard let rest = name.droppingExactPrefix(AttachmentSplice.blobPrefix) else { return false }
        if let first = rest.utf8.first, (0x30...0x39).contains(first) { return true }
        return pointers.contains(Name(String(rest)))
    }
}

extension BlobMetadata {
    /// Whether it is worth compressing the bytes for the transfer: not if the content is compressed already.
    var isCompressible: Bool {
        guard let type = contentType?.lowercased() else { return true }
        if ["xml", "json", "html", "yaml", "svg"].contains(where: type.contains) { return true }
        if type.contains("zip") { return false }
        return !["image/", "audio/", "video/"].contains(where: type.hasPrefix)
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
