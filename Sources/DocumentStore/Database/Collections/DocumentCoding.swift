import DocumentValues
import Foundation
import Synchronization

/// Between objects and the members of their documents. Dates are ISO 8601 texts, `Data` is base64, blobs are stored with
/// the document.
enum DocumentCoding {
    static func encode(_ object: some Encodable) throws -> (body: JSONObject, blobs: [Blob]) {
        let blobs = BlobCollector()
        let json = try translating { try ObjectEncoder.json(of: object, userInfo: [BlobCollector.key: blobs]) }
        guard let json else { throw StoreError.cannotBeWritten(because: "it encodes nothing") }
        guard case .object(let body) = json else {
            throw StoreError.cannotBeWritten(because: "it encodes a single value or a list, and no members")
        }
        guard json.fits(into: StoreLimits.objectDepth) else {
            throw StoreError.cannotBeWritten(because: "it has more than \(StoreLimits.objectDepth) levels of values")
        }
        var members = LookAlikeMembers(.saving)
        try members.refuse(in: json)
        return (body, blobs.all)
    }

    static func decode<T: Decodable>(_ type: T.Type, from document: Document) throws -> T {
        var decoder = DocumentDecoder(document.collection.map { ValueOrigin($0.database) })
        return try decoder.decode(type, from: document.body.bytes, id: document.id)
    }

    /// Coding errors name the member at fault, the type and the kind of value, but not the value.
    ///
    /// - Parameter id: the document's; `nil` for none.
    static func translating<Value>(id: String? = nil, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as EncodingError {
            throw StoreError.cannotBeWritten(because: error.problem, underlying: error)
        } catch let error as DecodingError {
            throw StoreError(
                .invalidParameter, message: "The document does not fit the type: \(error.problem).",
                context: id.map { ["document": $0] } ?? [:], underlying: error)
        }
    }
}

extension StoreError {
    fileprivate static func cannotBeWritten(because reason: String, underlying: (any Error)? = nil) -> StoreError {
        StoreError(
            .invalidParameter, message: "The object cannot be written as a document: \(reason).", underlying: underlying
        )
    }
}

extension DecodingError {
    fileprivate var problem: String {
        switch self {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            if let found = context.underlyingError as? FoundValue {
                "\(type) is expected at \(context.path), and \(found) is there"
            } else if case .valueNotFound = self {
                "there is no value at \(context.path), where \(type) is expected"
            } else {
                "\(type) is expected at \(context.path), and another type of value is there"
            }
        case .keyNotFound(let key, let context): "'\(key.stringValue)' is missing in \(context.path)"
        case .dataCorrupted(let context): "the value cannot be read at \(context.path)"
        @unknown default: "it cannot be read"
        }
    }
}

extension EncodingError {
    fileprivate var problem: String {
        switch self {
        case .invalidValue(_, let context) where context.codingPath.isEmpty:
            "it cannot be encoded (\(context.debugDescription.withControlsEscaped))"
        case .invalidValue(_, let context):
            "the value at \(context.codingPath.shown) cannot be kept"
        @unknown default: "it cannot be written"
        }
    }
}

extension DecodingError.Context {
    fileprivate var path: String { codingPath.shown }
}

extension [any CodingKey] {
    /// `/readings/3/unit`
    var shown: String {
        "/" + map { $0.intValue.map { "\($0)" } ?? $0.stringValue.withControlsEscaped }.joined(separator: "/")
    }
}

/// The blobs of an object that is being encoded: the document refers to them, so they are stored with it.
final class BlobCollector: Sendable {
    static let key = CodingUserInfoKey(rawValue: "fieldbook.blobs")!
    private let blobs = Mutex<[Blob]>([])

    func add(_ blob: Blob) { blobs.withLock { $0.append(blob) } }
    var all: [Blob] { blobs.withLock { $0 } }
}

extension ValueOrigin {
    static let key = CodingUserInfoKey(rawValue: "fieldbook.origin")!
}

extension Blob: Codable {
    private enum CodingKeys: String, CodingKey {
        case type = "@type"
        case contentType = "content_type"
        case digest, length
    }

    public func encode(to encoder: any Encoder) throws {
        if let collector = encoder.userInfo[BlobCollector.key] as? BlobCollector { collector.add(self) }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.blobType, forKey: .type)
        try container.encodeIfPresent(contentType, forKey: .contentType)
        try container.encodeIfPresent(digest, forKey: .digest)
        if length > 0 || digest != nil { try container.encode(length, forKey: .length) }
    }

    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .digest)
        guard let digest = BlobDigest(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .digest, in: container, debugDescription: "not the digest of a blob")
        }
        let metadata = BlobMetadata(
            digest: digest, length: try container.decodeIfPresent(UInt64.self, forKey: .length),
            contentType: try container.decodeIfPresent(String.self, forKey: .contentType))
        let origin = decoder.userInfo[ValueOrigin.key] as? ValueOrigin ?? ValueOrigin(nil)
        self.init(metadata, object: metadata.object, origin: origin)
    }
}
