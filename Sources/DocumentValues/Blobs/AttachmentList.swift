/// One entry of `_attachments`, with the members that decide about it read once.
package struct AttachmentEntry: Sendable {
    package let name: String
    /// As it was sent or stored: it may have members of other names, and a client may send something that is no object.
    package let value: JSONValue
    /// As it is spelled, which may be no digest of a blob.
    package let digest: Name?
    /// Bytes, according to the sender.
    package let length: Int64?
    /// The generation of the revision that brought the content.
    package let position: Int64?
    /// The bytes do not come with the entry.
    package let isStub: Bool
    /// There is a member for the bytes.
    package let hasData: Bool

    package init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
        digest = value["digest"]?.stringValue.map { Name($0) }
        length = value["length"]?.integerValue
        position = value["revpos"]?.integerValue
        isStub = value["stub"]?.boolValue == true
        hasData = value["data"] != nil
    }

    package init(name: String, object: JSONObject) { self.init(name: name, value: .object(object)) }

    /// `nil` for an entry that is no object.
    package var object: JSONObject? { value.objectValue }

    /// `nil` if there is no digest, or if it is malformed.
    package var blob: BlobDigest? { digest.flatMap { BlobDigest($0.text) } }

    /// The bytes in base64.
    package var data: String? { hasData ? value["data"]?.stringValue : nil }
}

/// The attachments of a revision: the member `_attachments`, parsed once.
package struct AttachmentList: Sendable {
    /// In their order; no two have the same name.
    package let entries: [AttachmentEntry]
    package let object: JSONObject

    package init(_ object: JSONObject) {
        self.object = object
        entries = object.members.map { AttachmentEntry(name: $0.key, value: $0.value) }
    }

    /// - Parameter entries: no two with the same name.
    package init(entries: [AttachmentEntry]) {
        self.entries = entries
        object = JSONObject(members: entries.map { JSONObject.Member(key: $0.name, value: $0.value) })
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }

    /// By their names.
    package var named: [Name: AttachmentEntry] {
        Dictionary(entries.map { (Name($0.name), $0) }, uniquingKeysWith: { $1 })
    }

    package var digests: Set<Name> { Set(entries.lazy.compactMap(\.digest)) }
}

extension AttachmentList: Hashable {
    package static func == (left: AttachmentList, right: AttachmentList) -> Bool { left.object == right.object }

    package func hash(into hasher: inout Hasher) { hasher.combine(object) }
}

extension AttachmentList: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(members: elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }
}
