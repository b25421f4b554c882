import DocumentValues

/// A pulled body, taken apart: what is stored of it, and which blobs it needs (§3.5, §3.6).
enum PulledBody: Sendable, Hashable {
    case document([UInt8], blobs: [BlobMetadata])
    /// The user may not see the document any more; what is left of its body.
    case removed([UInt8])

    /// Reserved members are cut out; all else keeps its bytes.
    init(reading bytes: [UInt8]) throws(JSONError) {
        let top = try JSONTopLevel(scanning: bytes)
        guard top.members.contains(where: { $0.key.utf8.first == UInt8(ascii: "_") }) || mayContainBlobs(bytes) else {
            self = .document(bytes, blobs: [])
            return
        }
        if let removed = top["_removed"], bytes[removed].elementsEqual("true".utf8) {
            self = .removed(top.removing(from: bytes) { $0.utf8.first == UInt8(ascii: "_") })
            return
        }
        let stripped = top.removing(from: bytes) { $0.utf8.first == UInt8(ascii: "_") }
        let attachments = try top[AttachmentSplice.member].map { range throws(JSONError) in
            try JSONValue(parsing: Array(bytes[range])).objectValue ?? [:]
        }
        self = try Self.document(stripped, attachments ?? [:])
    }

    private static func document(_ stripped: [UInt8], _ attachments: JSONObject) throws(JSONError) -> PulledBody {
        var tree = try JSONValue(parsing: stripped)
        var body = stripped
        let references = tree.blobReferences()
        for reference in references {
            // A REST user may have put another attachment in the blob's place: its metadata count.
            let name = AttachmentSplice.blobPrefix + reference.pointer
            guard let entry = attachments[name]?.objectValue,
                let digest = entry[BlobMetadata.digestProperty]?.stringValue, digest != reference.metadata.digest.text
            else { continue }
            tree = tree.replacingBlob(at: reference.pointer, with: entry)
            body = tree.bytes
        }
        var blobs = tree.blobReferences().map(\.metadata)
        let others = attachments.filter { !isBlobName($0, references) }
        for other in others.members {
            guard let entry = other.value.objectValue, let digest = entry[BlobMetadata.digestProperty]?.stringValue,
                let valid = BlobDigest(digest)
            else { continue }
            let length = entry[BlobMetadata.lengthProperty]?.numberValue?.uint64
            let type = entry[BlobMetadata.contentTypeProperty]?.stringValue
            blobs.append(BlobMetadata(digest: valid, length: length, contentType: type))
        }
        if !others.isEmpty {
            var member: [UInt8] = []
            JSONWriter.appendString(AttachmentSplice.member, to: &member)
            member.append(UInt8(ascii: ":"))
            member += others.bytes
            body = appendingMembers(member, toObject: body)
        }
        return .document(body, blobs: blobs)
    }

    /// Whether an attachment only repeats a blob of the body: by its path, or by a number as older clients named it.
    private static func isBlobName(_ name: String, _ references: [BlobReference]) -> Bool {
        guard let rest = name.droppingExactPrefix(AttachmentSplice.blobPrefix) else { return false }
        if let first = rest.utf8.first, (0x30...0x39).contains(first) { return true }
        return references.contains { $0.pointer.isExactly(rest) }
    }
}

extension BlobMetadata {
    /// Whether compressing the bytes on their way is worth it: not for what is compressed already.
    var isCompressible: Bool {
        guard let type = contentType?.lowercased() else { return true }
        if ["xml", "json", "html", "yaml", "svg"].contains(where: type.contains) { return true }
        if type.contains("zip") { return false }
        return !["image/", "audio/", "video/"].contains(where: type.hasPrefix)
    }
}

extension JSONValue {
    /// The value with another digest, length and type in the blob dictionary at a pointer.
    fileprivate func replacingBlob(at pointer: String, with entry: JSONObject) -> JSONValue {
        let path = pointer.split(atByte: "/", omittingEmptySubsequences: false).dropFirst().map(Self.unescaped)
        return replacingBlob(at: path[...], with: entry)
    }

    private func replacingBlob(at path: ArraySlice<String>, with entry: JSONObject) -> JSONValue {
        switch self {
        case .object(var object):
            if let name = path.first {
                object[name] = object[name]?.replacingBlob(at: path.dropFirst(), with: entry)
            } else {
                for key in [
                    BlobMetadata.digestProperty, BlobMetadata.lengthProperty, BlobMetadata.contentTypeProperty,
                ] {
                    object[key] = entry[key] ?? object[key]
                }
            }
            return .object(object)
        case .array(var elements):
            guard let index = path.first.flatMap({ Int($0) }), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].replacingBlob(at: path.dropFirst(), with: entry)
            return .array(elements)
        case .null, .bool, .number, .string: return self
        }
    }

    private static func unescaped(_ part: Substring) -> String {
        var text = ""
        var isEscaped = false
        for scalar in part.unicodeScalars {
            if isEscaped {
                text.append(scalar == "1" ? "/" : "~")
                isEscaped = false
            } else if scalar == "~" {
                isEscaped = true
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
