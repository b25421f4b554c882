import DocumentValues

/// The names that a document gives its blobs: of `{"name": "door.png", "blob": {"digest": "sha1-…"}}` it is `door.png`.
struct AttachmentTitles {
    /// By the digest, the next one last.
    private var titles: [Name: [String]] = [:]

    init(in document: JSONObject) {
        look(at: .object(document))
        titles = titles.mapValues { $0.reversed() }
    }

    /// The name of the next blob with a digest; `nil` if the document gives it none, or if all are taken.
    mutating func take(_ digest: String) -> String? { titles[Name(digest)]?.popLast() }

    private mutating func look(at value: JSONValue) {
        switch value {
        case .array(let values): for value in values { look(at: value) }
        case .object(let object):
            let title = object["name"]?.stringValue ?? ""
            for member in object where member.key.utf8.first != UInt8(ascii: "_") {
                if !title.isEmpty, let digest = member.value["digest"]?.stringValue {
                    titles[Name(digest), default: []].append(title)
                }
                look(at: member.value)
            }
        case .null, .bool, .number, .string: break
        }
    }
}
