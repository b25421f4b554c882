import DocumentValues

/// The attachments of a stored revision: their list, and beside it the text of the list, which a row and a message have. The
/// text is written once, when the revision is planned.
package struct StoredAttachments: Sendable, Hashable {
    /// name → `{content_type?, digest, length, revpos, stub}`
    package let list: AttachmentList
    package let text: String

    /// - Returns: `nil` if there are none.
    init?(entries: [AttachmentEntry]) {
        guard !entries.isEmpty else { return nil }
        list = AttachmentList(entries: entries)
        text = list.object.description
    }

    /// - Parameter text: of a row.
    init(stored text: String) throws(JSONError) {
        self.text = text
        list = AttachmentList(try JSONObject(parsing: Array(text.utf8)))
    }

    package var object: JSONObject { list.object }
    package var count: Int { list.count }
    package var isEmpty: Bool { list.isEmpty }
    var digests: Set<Name> { list.digests }

    /// Bytes of the text.
    var byteCount: Int { text.utf8.count }

    /// Approximate bytes in memory: names and types may have any length.
    var weight: Int { byteCount + GatewayLimits.memoryOfAttachment * count }

    package static func == (left: StoredAttachments, right: StoredAttachments) -> Bool { left.list == right.list }

    package func hash(into hasher: inout Hasher) { hasher.combine(list) }
}

extension StoredAttachments? {
    /// A body without reserved members as it is sent: with these attachments at its end, if there are any.
    func joined(to body: [UInt8]) -> [UInt8] {
        guard let attachments = self, !attachments.isEmpty else { return body }
        return appendingMembers(Array(#""_attachments":"#.utf8) + attachments.text.utf8, toObject: body)
    }
}
