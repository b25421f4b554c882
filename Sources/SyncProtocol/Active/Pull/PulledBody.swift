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
        let reserved = ReservedMembers(of: top)
        if reserved.isEmpty {
            self = .document(try DocumentBody(scanned: bytes))
        } else if let removed = reserved[.removed], bytes[removed].elementsEqual("true".utf8) {
            self = .removed(reserved.removing(from: bytes))
        } else if let value = try reserved.value(of: .attachments, in: bytes) {
            let attachments = AttachmentList(value.objectValue ?? [:])
            self = .document(try DocumentBody(reserved.removing(from: bytes), attachments: attachments))
        } else {
            self = .document(try DocumentBody(scanned: reserved.removing(from: bytes)))
        }
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
