/// The description of a blob in a document: `{"@type":"blob","content_type":…,"digest":"sha1-…","length":n}`.
public struct BlobMetadata: Sendable, Hashable {
    public static let typeProperty = "@type"
    public static let blobType = "blob"
    public static let digestProperty = "digest"
    public static let lengthProperty = "length"
    public static let contentTypeProperty = "content_type"

    public var digest: BlobDigest
    /// Bytes; `nil` where the document does not have it.
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

    /// Bytes of `pointer`, known without building it.
    package var pointerLength: Int { path?.length ?? 0 }
    /// The hash of `pointer` that `PointerNames` uses.
    var pointerHash: Int { path?.hash ?? PointerHash.root }
}

/// Where a value is in a document. Its text is built only on request: texts for the paths of all values would take the length
/// of names times the number of values.
private final class ValuePath: Sendable {
    enum Part: Sendable {
        case member(String)
        case element(Int)

        /// The text of the step in a pointer.
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
    ///
    /// Uses a list instead of nested calls: a document may be deeper than the stack of a thread.
    public func blobReferences() -> [BlobReference] {
        var found: [BlobReference] = []
        var open = [(value: self, path: ValuePath?.none)]
        while let (value, path) = open.popLast() {
            if let reference = value.blobReference(at: path) {
                found.append(reference)
            } else {
                open.append(contentsOf: value.containers(at: path).reversed())
            }
        }
        return found
    }

    private func blobReference(at path: ValuePath?) -> BlobReference? {
        guard case .object(let object) = self, let metadata = BlobMetadata(object) else { return nil }
        return BlobReference(metadata: metadata, object: object, path: path)
    }

    /// The objects and arrays directly inside this one, in document order.
    private func containers(at path: ValuePath?) -> [(value: JSONValue, path: ValuePath?)] {
        switch self {
        case .object(let object):
            object.lazy
                .filter { $0.value.isContainer && !(path == nil && $0.key.isExactly("_attachments")) }
                .map { ($0.value, ValuePath(.member($0.key), in: path)) }
        case .array(let elements):
            elements.enumerated().lazy
                .filter { $0.element.isContainer }
                .map { ($0.element, ValuePath(.element($0.offset), in: path)) }
        case .null, .bool, .number, .string: []
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

/// Whether `bytes` can hold a blob dictionary or an entry of `_attachments` with a digest at all: a search for `sha1-`, with
/// which each digest begins, and for a `\u`, by which any part of it may be written. That is far cheaper than reading the JSON.
public func mayContainBlobs(_ bytes: [UInt8]) -> Bool {
    bytes.hasPart(digestType) || bytes.hasPart(numericEscape)
}

private let digestType = Array("sha1-".utf8)
private let numericEscape = Array(#"\u"#.utf8)
