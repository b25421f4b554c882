import DocumentValues
import Foundation
import Glibc
import Synchronization

/// Binary content that belongs to a document but is kept beside it, such as a photo.
///
/// A new blob is stored when its document is saved. Large content is best passed as a file or a stream: it is then
/// never in memory as a whole.
public final class Blob: Sendable {
    /// The value of ``typeProperty`` that marks a blob in JSON: `blob`.
    public static let blobType = BlobMetadata.blobType
    /// The member `@type` of a blob in JSON.
    public static let typeProperty = BlobMetadata.typeProperty
    /// The member with the digest, `sha1-…`.
    public static let blobDigestProperty = BlobMetadata.digestProperty
    /// The member with the length, in bytes.
    public static let blobLengthProperty = BlobMetadata.lengthProperty
    /// The member with the content type.
    public static let blobContentType = BlobMetadata.contentTypeProperty

    // Unchecked: only the thread that installs the blob reads the stream, one thread at a time.
    private enum Source: @unchecked Sendable {
        case data(Data)
        /// Can be read once, when the blob is stored.
        case stream(InputStream)
        case file(URL)
        case stored
    }

    private struct State {
        var source: Source
        var digest: BlobDigest?
        var length: UInt64
        /// Members of the dictionary in the document, the user's own among them.
        var object: JSONObject
    }

    /// Such as `image/jpeg`; `nil` where it is unknown.
    public let contentType: String?
    private let origin: ValueOrigin
    private let state: Mutex<State>
    /// Held while the content is stored, which is slow and may call the application's stream. So `state` is not locked for
    /// that time.
    private let installation = Mutex<Void>(())

    private init(contentType: String?, origin: ValueOrigin, state: sending State) {
        self.contentType = contentType
        self.origin = origin
        self.state = Mutex(state)
    }

    /// Content that is in memory.
    public convenience init(contentType: String, data: Data) {
        self.init(
            contentType: contentType, origin: ValueOrigin(nil),
            state: State(source: .data(data), length: UInt64(data.count), object: JSONObject()))
    }

    /// - Parameter contentStream: is read when the document is saved; nothing else may use it from now on.
    public convenience init(contentType: String, contentStream: sending InputStream) {
        self.init(
            contentType: contentType, origin: ValueOrigin(nil),
            state: State(source: .stream(contentStream), length: 0, object: JSONObject()))
    }

    /// - Throws: `.invalidParameter` if the URL is not that of a regular file that can be read.
    public convenience init(contentType: String, fileURL: URL) throws {
        let length = try Self.length(of: fileURL)
        self.init(
            contentType: contentType, origin: ValueOrigin(nil),
            state: State(source: .file(fileURL), length: length, object: JSONObject()))
    }

    /// Devices and pipes may have no end, or no content until another process writes: saving one would never end.
    private static func length(of url: URL) throws -> UInt64 {
        var status = stat()
        guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path), stat(url.path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else {
            throw StoreError(
                .invalidParameter, message: "The file for a blob cannot be read.", context: ["path": url.path],
                hint: "Check the path and the permissions. Folders, devices and pipes are no files.")
        }
        return UInt64(status.st_size)
    }

    /// A blob that a document refers to.
    convenience init(_ metadata: BlobMetadata, object: JSONObject, origin: ValueOrigin) {
        self.init(
            contentType: metadata.contentType, origin: origin,
            state: State(source: .stored, digest: metadata.digest, length: metadata.length ?? 0, object: object))
    }

    /// Bytes; 0 for a stream that has not been stored yet.
    public var length: UInt64 { state.withLock { $0.length } }

    /// `sha1-…`, known once the blob is stored.
    public var digest: String? { blobDigest?.text }

    package var blobDigest: BlobDigest? { state.withLock { $0.digest } }

    // MARK: Content

    /// The whole content; `nil` where it is not here, or is a stream that has not been stored yet.
    public var content: Data? {
        switch location {
        case .data(let data): return data
        case .file(let url): return try? Data(contentsOf: url)
        case .digest(let digest): return try? storage?.read(digest).map { Data($0) }
        case .nowhere: return nil
        }
    }

    /// The content as a stream that is not opened yet; `nil` where it is not here.
    public var contentStream: InputStream? {
        switch location {
        case .data(let data): return InputStream(data: data)
        case .file(let url): return InputStream(url: url)
        case .digest(let digest): return try? storage?.reader(for: digest).map(BlobInputStream.init)
        case .nowhere: return nil
        }
    }

    private enum Location {
        case data(Data), file(URL), digest(BlobDigest), nowhere
    }

    private var location: Location {
        state.withLock { state in
            switch state.source {
            case .data(let data): .data(data)
            case .file(let url): .file(url)
            case .stream: .nowhere
            case .stored: state.digest.map(Location.digest) ?? .nowhere
            }
        }
    }

    private var storage: (any BlobStorage)? {
        get throws { try origin.database?.core().blobs }
    }

    // MARK: Storing

    /// Brings the content into the database's storage, unless it is there already.
    func install(in database: Database) throws {
        let core = try database.core()
        // One call, so that the database is not closed with a part of a stream read.
        try core.call { try installation.withLock { _ in try install(in: core.blobs, of: database) } }
        origin.database = database
    }

    private func install(in storage: any BlobStorage, of database: Database) throws {
        let (source, digest, known) = state.withLock { ($0.source, $0.digest, $0.length) }
        if let digest, let length = try storage.length(of: digest) {
            // A dictionary may name another length, or none, and a gateway refuses an attachment of another length.
            return state.withLock { $0.length = length }
        }
        if case .stored = source {
            try checkOrigin(is: database)
            // A length of 0 comes from an app that writes a blob's members without having the content. A blob with a
            // length was purged since: the document would refer to nothing.
            guard known > 0 else { return }
            throw StoreError(
                .missingBlob, message: "The content of an attachment is not here any more.",
                context: ["blob": digest?.text ?? ""], hint: "Attach it again.")
        }
        let metadata = try Self.store(source, in: storage)
        state.withLock { state in
            state.digest = metadata.digest
            state.length = metadata.length ?? 0
            // Content in memory is kept until the blob is released: it may have to be stored again.
            if case .stream = state.source { state.source = .stored }
        }
    }

    private static func store(_ source: Source, in storage: any BlobStorage) throws -> BlobMetadata {
        let writer = try storage.writer()
        defer { writer.cancel() }
        switch source {
        case .data(let data): try writer.write(data)
        case .file(let url):
            guard let stream = InputStream(url: url) else { throw missingContent }
            try copy(stream, to: writer)
        case .stream(let stream): try copy(stream, to: writer)
        case .stored: throw missingContent
        }
        return try writer.finish(expecting: nil)
    }

    private static func copy(_ stream: InputStream, to writer: any BlobWriter) throws {
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: StoreLimits.blobPortion)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            // The stream may be the application's own class, with faults of its own.
            guard 0...buffer.count ~= count else {
                // swift-corelibs-foundation ends the process when `streamError` is read and there is none.
                let cause = stream.streamStatus == .error ? stream.streamError : nil
                throw StoreError(.ioError, message: "The content of a blob cannot be read.", underlying: cause)
            }
            guard count > 0 else { return }
            try writer.write(buffer[..<count])
        }
    }

    private func checkOrigin(is database: Database) throws {
        guard let other = origin.database, other !== database else { return }
        throw StoreError(
            .invalidParameter,
            message:
                "A document contains a blob that was saved to a different database. The save operation cannot complete."
        )
    }

    private static var missingContent: StoreError {
        StoreError(.invalidParameter, message: "A blob without content cannot be saved.")
    }
}

// MARK: - Properties

extension Blob {
    /// The dictionary that represents the blob in a document.
    var object: JSONObject {
        let (digest, length, members) = state.withLock { ($0.digest, $0.length, $0.object) }
        var object = members
        object[Self.typeProperty] = .string(Self.blobType)
        if let contentType { object[Self.blobContentType] = .string(contentType) }
        if let digest { object[Self.blobDigestProperty] = .string(digest.text) }
        if length > 0 || digest != nil { object[Self.blobLengthProperty] = .number(JSONNumber(length)) }
        return object
    }

    /// The metadata as they are in a document, `@type` among them: ``isBlob(properties:)`` is true for those of a stored blob,
    /// and ``Database/getBlob(properties:)`` finds the blob by them.
    public var properties: [String: Any] { ValueConversion.plain(.object(object)) as? [String: Any] ?? [:] }

    /// The dictionary that represents the blob in a document, as JSON.
    public func toJSON() -> String { object.description }

    /// Whether a dictionary represents a blob.
    public static func isBlob(properties: [String: Any]) -> Bool {
        guard properties[typeProperty] as? String == blobType,
            let digest = properties[blobDigestProperty] as? String
        else { return false }
        return BlobDigest(digest) != nil
    }
}

extension Blob: Hashable {
    /// By content.
    public static func == (left: Blob, right: Blob) -> Bool {
        if left === right { return true }
        if let left = left.blobDigest, let right = right.blobDigest { return left == right }
        return left.length == right.length && left.content != nil && left.content == right.content
    }

    /// Of the digest, stored or not: of two that are equal, one may not know its length.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(blobDigest ?? content.map { BlobDigest(of: Array($0)) })
    }
}
