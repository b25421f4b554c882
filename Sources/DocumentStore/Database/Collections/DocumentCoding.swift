import DocumentValues
import Foundation
import Synchronization

/// Between objects and the members of their documents. Dates are ISO 8601 texts, `Data` is base64, blobs are stored with
/// the document.
enum DocumentCoding {
    static func encode(_ object: some Encodable) throws -> (body: JSONObject, blobs: [Blob]) {
        try translating { try NestingCheck.look(at: object) }
        let blobs = BlobCollector()
        let encoder = JSONEncoder()
        encoder.userInfo[BlobCollector.key] = blobs
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard DocumentDate.canWrite(date) else {
                throw EncodingError.invalidValue(
                    date,
                    EncodingError.Context(
                        codingPath: encoder.codingPath, debugDescription: "the date is outside the years 1 to 9999"))
            }
            var container = encoder.singleValueContainer()
            try container.encode(DocumentDate.text(date))
        }
        let keys = ObjectKeys()
        encoder.keyEncodingStrategy = .custom { keys.encoded($0) }
        let data = try translating { try encoder.encode(object) }
        guard data.first == UInt8(ascii: "{") else {
            throw StoreError(
                .invalidParameter,
                message: "The object cannot be written as a document: it encodes a single value or a list, and no "
                    + "members.")
        }
        let body = try ObjectText(userText: String(decoding: data, as: UTF8.self)).object
        return (try keys.decoded(body, from: data), blobs.all)
    }

    static func decode<T: Decodable>(_ type: T.Type, from document: Document) throws -> T {
        let origin = document.collection.map { ValueOrigin($0.database) }
        return try decode(type, from: document.body.bytes, origin: origin, id: document.id)
    }

    /// - Parameters:
    ///   - origin: where the blobs are read from.
    ///   - id: the document's, for errors; a row of a query has none.
    static func decode<T: Decodable>(
        _ type: T.Type, from json: [UInt8], origin: ValueOrigin?, id: String? = nil
    ) throws -> T {
        try ObjectKeys.check(json, of: id)
        let decoder = JSONDecoder()
        if let origin { decoder.userInfo[ValueOrigin.key] = origin }
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = DocumentDate.date(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 date")
            }
            return date
        }
        return try translating {
            do { return try decoder.decode(type, from: Data(json)) } catch let error as DecodingError
                where error.hasNoPath
            {
                throw try locating(error, in: json) { _ = try decoder.decode(type, from: Data($0)) }
            }
        }
    }

    /// The error with the path of a number that does not fit its type.
    private static func locating(
        _ error: DecodingError, in json: [UInt8], read: ([UInt8]) throws -> Void
    ) throws -> DecodingError {
        let path = try UnfitNumber(in: json).path { changed in
            // It is read to see whether the same error comes; another one is of the zeros in it.
            do { try read(changed) } catch let error as DecodingError { return error.hasNoPath } catch { return false }
            return false
        }
        guard let path else { return error }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: "the number does not fit the type", underlyingError: error))
    }

    /// Coding errors name the member at fault, not its value.
    private static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as EncodingError {
            throw StoreError(
                .invalidParameter, message: "The object cannot be written as a document: \(error.problem).",
                underlying: error)
        } catch let error as DecodingError {
            throw StoreError(
                .invalidParameter, message: "The document does not fit the type: \(error.problem).", underlying: error)
        }
    }
}

extension DecodingError {
    fileprivate var hasNoPath: Bool {
        guard case .dataCorrupted(let context) = self else { return false }
        return context.codingPath.isEmpty
    }

    fileprivate var problem: String {
        switch self {
        case .typeMismatch(_, let context): "another type of value was expected at \(context.path)"
        case .valueNotFound(_, let context): "there is no value at \(context.path)"
        case .keyNotFound(let key, let context): "'\(key.stringValue)' is missing in \(context.path)"
        case .dataCorrupted(let context): "the value cannot be read at \(context.path)"
        @unknown default: "it cannot be read"
        }
    }
}

extension EncodingError {
    fileprivate var problem: String {
        switch self {
        // Of the object as a whole Foundation does not say which of the two it is.
        case .invalidValue(_, let context) where context.codingPath.isEmpty:
            "it encodes nothing, or more than some 500 levels of values (\(context.debugDescription))"
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

/// The blobs that are met while an object is encoded: the document refers to them, so they must be stored with it.
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
