/// What a document says of a blob: `{"@type":"blob","content_type":…,"digest":"sha1-…","length":n}`.
public struct BlobMetadata: Sendable, Hashable {
    public static let typeProperty = "@type"
    public static let blobType = "blob"
    public static let digestProperty = "digest"
    public static let lengthProperty = "length"
    public static let contentTypeProperty = "content_type"

    public var digest: BlobDigest
    /// Bytes; `nil` where the document does not say.
    public var length: UInt64?
    public var contentType: String?

    public init(digest: BlobDigest, length: UInt64? = nil, contentType: String? = nil) {
        self.digest = digest
        self.length = length
        self.contentType = contentType
    }

    /// Reads a blob dictionary; `nil` if the object is none or its digest is malformed.
    public init?(_ object: JSONObject) {
        guard object[Self.typeProperty]?.stringValue == Self.blobType,
            let digest = object[Self.digestProperty]?.stringValue.flatMap(BlobDigest.init)
        else { return nil }
        self.digest = digest
        length = object[Self.lengthProperty]?.integerValue.flatMap { UInt64(exactly: $0) }
        contentType = object[Self.contentTypeProperty]?.stringValue
    }

    /// Reads an entry of `_attachments`; `nil` if it is no object or its digest is malformed.
    package init?(attachment: JSONValue) {
        guard let entry = attachment.objectValue,
            let digest = entry[Self.digestProperty]?.stringValue.flatMap(BlobDigest.init)
        else { return nil }
        self.digest = digest
        length = entry[Self.lengthProperty]?.numberValue?.uint64
        contentType = entry[Self.contentTypeProperty]?.stringValue
    }

    public var object: JSONObject {
        var object: JSONObject = [Self.typeProperty: .string(Self.blobType)]
        if let contentType { object[Self.contentTypeProperty] = .string(contentType) }
        object[Self.digestProperty] = .string(digest.text)
        if let length { object[Self.lengthProperty] = .number(JSONNumber(length)) }
        return object
    }
}

/// A blob dictionary and its path in a document.
public struct BlobReference: Sendable {
    public let metadata: BlobMetadata
    /// The dictionary as it is, with members of the user's own.
    public let object: JSONObject
    /// `nil` for the document itself.
    fileprivate let path: ValuePath?

    /// A JSON pointer that begins with `/`: `/photo`, `/album/0/thumb`; empty for the document itself.
    public var pointer: String { path?.pointer ?? "" }

    /// Bytes of `pointer`, which nobody has to put together for that.
    package var pointerLength: Int { path?.length ?? 0 }
    /// The hash of `pointer` that `PointerNames` goes by.
    var pointerHash: Int { path?.hash ?? PointerHash.root }
}

/// Where a value is in a document. Its names are put together only where somebody asks: the path of each value as a text would
/// take the length of names times the number of values.
private final class ValuePath: Sendable {
    enum Part: Sendable {
        case member(String)
        case element(Int)

        /// As it is written in a pointer.
        var text: String {
            switch self {
            case .member(let name): name.pointerEscaped
            case .element(let index): "\(index)"
            }
        }
    }

    let parent: ValuePath?
    let part: Part
    /// Bytes of the pointer.
    let length: Int
    let hash: Int

    init(_ part: Part, in parent: ValuePath?) {
        self.parent = parent
        self.part = part
        let text = part.text
        length = (parent?.length ?? 0) + 1 + text.utf8.count
        hash = PointerHash.of(text[...], in: parent?.hash ?? PointerHash.root)
    }

    var pointer: String {
        var parts: [String] = []
        var path: ValuePath? = self
        while let present = path {
            parts.append(present.part.text)
            path = present.parent
        }
        return "/" + parts.reversed().joined(separator: "/")
    }
}

extension JSONValue {
    /// Every blob dictionary in the value, outside a top-level `_attachments`, in document order.
    public func blobReferences() -> [BlobReference] {
        var found: [BlobReference] = []
        collectBlobs(at: nil, into: &found)
        return found
    }

    private func collectBlobs(at path: ValuePath?, into found: inout [BlobReference]) {
        switch self {
        case .object(let object):
            if let metadata = BlobMetadata(object) {
                found.append(BlobReference(metadata: metadata, object: object, path: path))
                return
            }
            for member in object
            where member.value.isContainer && !(path == nil && member.key.isExactly("_attachments")) {
                member.value.collectBlobs(at: ValuePath(.member(member.key), in: path), into: &found)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() where element.isContainer {
                element.collectBlobs(at: ValuePath(.element(index), in: path), into: &found)
            }
        case .null, .bool, .number, .string: break
        }
    }

    private var isContainer: Bool {
        switch self {
        case .object, .array: true
        case .null, .bool, .number, .string: false
        }
    }
}

extension String {
    /// `~` and `/` as RFC 6901 writes them inside a pointer.
    fileprivate var pointerEscaped: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Whether `bytes` can hold a blob dictionary at all: a search for `"@type"`, far cheaper than reading the JSON.
public func mayContainBlobs(_ bytes: [UInt8]) -> Bool { bytes.hasPart(blobMarker) }

private let blobMarker = Array(#""@type""#.utf8)
