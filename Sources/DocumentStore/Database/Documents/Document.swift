import DocumentValues
import Foundation
import Synchronization

/// A document as it was when it was read.
// Unchecked: the class can be subclassed; all its state is behind locks, and the subclass adds none.
public class Document: DictionaryProtocol, Sequence, @unchecked Sendable {
    /// Unique in its collection; compared byte by byte.
    public let id: String
    let node: DictionaryNode
    private let version: Mutex<Version>

    /// The revision that was read or saved last.
    struct Version: Sendable {
        var collection: Collection?
        var revision: RevisionID?
        var sequence: UInt64 = 0
        var timestamp: UInt64 = 0
        var isDeleted = false
    }

    init(id: String, version: Version) {
        self.id = id
        node = DictionaryNode(origin: ValueOrigin(version.collection?.database))
        self.version = Mutex(version)
    }

    init(id: String, body: ObjectText, version: Version) {
        self.id = id
        node = DictionaryNode(body, origin: ValueOrigin(version.collection?.database))
        self.version = Mutex(version)
    }

    /// A copy with nodes of its own.
    init(copying other: Document) {
        id = other.id
        node = DictionaryNode(other.node, copiedFor: ValueOrigin(other.node.origin.database))
        version = Mutex(other.version.withLock { $0 })
    }

    var present: Version {
        get { version.withLock { $0 } }
        set {
            version.withLock { $0 = newValue }
            if let database = newValue.collection?.database { node.origin.database = database }
        }
    }

    /// Changes with each save; `nil` before the first.
    public var revisionID: String? { present.revision?.description }
    /// When this revision was stored, nanoseconds since 1970; 0 before the first save.
    public var timestamp: UInt64 { present.timestamp }
    /// The document's position in the order of changes; 0 before the first save.
    public var sequence: UInt64 { present.sequence }
    /// `nil` before the first save.
    public var collection: Collection? { present.collection }

    package var revision: RevisionID? { present.revision }
    package var isDeleted: Bool { present.isDeleted }

    /// The members as they would be saved, blobs as their metadata.
    package var body: JSONObject {
        if let text = node.text { return text.object }
        var writer = ValueWriter()
        return writer.write(node)
    }

    /// The members as JSON, with the blobs that are to be stored.
    ///
    /// - Throws: `.invalidParameter`, with the path of the first value that no document can hold; `.tooLarge` where it is found
    ///   while writing.
    func writable() throws -> (body: JSONObject, blobs: [Blob]) {
        var writer = ValueWriter(limit: StoreLimits.documentBody)
        let body = writer.write(node)
        if writer.isTooLarge { throw StoreError.tooLarge(documentID: id) }
        guard let fault = writer.faults.first else { return (body, writer.blobs) }
        throw StoreError(
            .invalidParameter, message: "The document cannot be saved: \(fault.reason).",
            context: ["document": id, "value": fault.path],
            hint: "Documents hold texts, numbers, booleans, dates, blobs, and arrays and dictionaries of them.")
    }

    /// A copy that can be changed and saved.
    public func toMutable() -> MutableDocument { MutableDocument(copying: self) }

    // MARK: Members

    /// How many members there are.
    public var count: Int { node.keys.count }
    /// The names of the members.
    public var keys: [String] { node.keys }

    /// The member, or its absence: ``Fragment/exists``.
    public subscript(key: String) -> Fragment { Fragment(node[key]) }

    /// The array; `nil` where there is none.
    public func array(forKey key: String) -> ArrayObject? { Fragment(node[key]).array }

    /// The dictionary; `nil` where there is none.
    public func dictionary(forKey key: String) -> DictionaryObject? { Fragment(node[key]).dictionary }

    /// The members as Swift values: containers as `[String: Any]` and `[Any]`, null as `NSNull`, blobs as `Blob`.
    /// If Swift's `String` takes two names for the same, it has the later member only; ``toJSON()`` has both.
    public func toDictionary() -> [String: Any] { ValueConversion.plain(node) }

    /// The members as JSON text, blobs as their metadata.
    public func toJSON() -> String {
        node.text.map { String(decoding: $0.bytes, as: UTF8.self) } ?? body.description
    }

    /// The names of the members.
    public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}

extension Document: Hashable {
    /// Same id, same collection, same members.
    public static func == (left: Document, right: Document) -> Bool {
        left === right
            || (left.id.isExactly(right.id) && left.collection == right.collection && left.body == right.body)
    }

    /// Of the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(Name(id)) }
}

extension Document {
    convenience init(id: String, found: FoundDocument, collection: Collection) throws {
        self.init(
            id: id, body: try ObjectText(storedBody: found.body, documentID: id),
            version: Version(
                collection: collection, revision: found.revision, sequence: found.sequence,
                timestamp: found.timestamp, isDeleted: false))
    }

    convenience init(_ stored: CollectionDocument, collection: Collection) throws {
        self.init(
            id: stored.id, body: try ObjectText(storedBody: stored.body, documentID: stored.id),
            version: Version(
                collection: collection, revision: stored.revision, sequence: stored.sequence,
                timestamp: stored.timestamp, isDeleted: stored.isDeleted))
    }

    /// A revision that the replicator shows to a filter or a resolver.
    package convenience init(_ revision: LocalRevision, collection: Collection) throws {
        self.init(
            id: revision.documentID,
            body: try ObjectText(storedBody: revision.body, documentID: revision.documentID),
            version: Version(
                collection: collection, revision: revision.revision, sequence: revision.sequence,
                isDeleted: revision.isDeleted))
    }

    /// A pulled revision, before it is stored.
    package convenience init(_ revision: PulledRevision, collection: Collection) throws {
        self.init(
            id: revision.documentID,
            body: try ObjectText(storedBody: revision.body.bytes, documentID: revision.documentID),
            version: Version(collection: collection, revision: revision.revision, isDeleted: revision.isDeleted))
    }

    /// The document in a remote's answer, if it does not send the document any more.
    ///
    /// - Parameter revision: the remote's; `nil` where that cannot be read.
    package convenience init(
        announced id: String, revision: RevisionID?, body: [UInt8], collection: Collection
    ) throws {
        self.init(
            id: id, body: try ObjectText(storedBody: body, documentID: id),
            version: Version(collection: collection, revision: revision))
    }
}

extension ObjectText {
    init(storedBody: [UInt8], documentID: String) throws {
        do throws(JSONError) { try self.init(reading: storedBody) } catch {
            throw StoreError(
                .corruptData, message: "A stored document cannot be read: \(error).", context: ["document": documentID])
        }
    }
}
