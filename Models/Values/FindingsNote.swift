import DocumentValues

/// The note of an approval about the findings that it has seen.
public enum FindingsNote: Sendable, Hashable {
    /// A digest of each one's content, by the finding's document id.
    case each(JSONObject)
    /// One digest over all of them, where a document could not list them: colleagues may add any number.
    case all(BlobDigest)

    /// `nil` for a value that is neither.
    init?(_ value: JSONValue) {
        switch value {
        case .object(let digests): self = .each(digests)
        case .string(let text):
            guard let digest = BlobDigest(text) else { return nil }
            self = .all(digest)
        case .null, .bool, .number, .array: return nil
        }
    }

    /// As it is in a record.
    public var value: JSONValue {
        switch self {
        case .each(let digests): .object(digests)
        case .all(let digest): .string(digest.text)
        }
    }
}
