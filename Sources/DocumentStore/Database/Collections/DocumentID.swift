import Synchronization

/// Marks the property of a class that holds the id of its document:
///
///     final class Hotel: Codable {
///         @DocumentID var id: String?
///         var name: String
///     }
///
/// The id is no member of the document. It is `nil` until the object is saved, unless it is set before; the id of an
/// object that was saved or loaded cannot be changed: it stays what it was, and the next save, deletion or purge of the
/// object throws `.invalidParameter`, until the same id is set again.
@propertyWrapper
public final class DocumentID: Codable, Sendable {
    struct State: Sendable {
        var id: String?
        /// What the object was loaded from or last saved as; `nil` for a new one.
        var document: Document?
        /// Another id that the saved object was given.
        var refused: String??
    }

    private let state: Mutex<State>

    /// With `nil` the object gets an id when it is saved.
    public init(wrappedValue: String?) { state = Mutex(State(id: wrappedValue)) }

    /// The document's id; `nil` for an object that was not saved yet.
    public var wrappedValue: String? {
        get { state.withLock { $0.id } }
        set {
            state.withLock { state in
                // Equal texts of other bytes are other ids.
                let isSame = state.id.map { Array($0.utf8) } == newValue.map { Array($0.utf8) }
                if state.document == nil {
                    state.id = newValue
                } else {
                    state.refused = isSame ? nil : .some(newValue)
                }
            }
        }
    }

    var document: Document? { state.withLock { $0.document } }

    /// Throws where a saved object was given another id.
    func check() throws {
        let (id, refused) = state.withLock { ($0.id, $0.refused) }
        guard let refused else { return }
        throw StoreError(
            .invalidParameter, message: "The document id of an object that was saved cannot be changed.",
            context: ["document": id ?? "", "id": refused ?? "nil"],
            hint: "Save a new object under the other id, and delete this one.")
    }

    func attach(to document: Document) { state.withLock { $0 = State(id: document.id, document: document) } }

    /// The id, and which revision of its document the object is; without one it was not stored yet.
    struct Attachment: Sendable {
        let id: String?
        let version: Document.Version?
    }

    /// Without the document's content: a large batch notes one for each object that it saves.
    var attachment: Attachment {
        state.withLock { Attachment(id: $0.id, version: $0.document?.present) }
    }

    /// What was stored since is rolled back.
    func takeBack(to former: Attachment) {
        if let version = former.version {
            document?.present = version
        } else if document != nil {
            state.withLock { $0 = State(id: former.id) }
        }
    }

    // The containers below leave the property out; these are for coders that call them all the same.

    public convenience init(from decoder: any Decoder) throws { self.init(wrappedValue: nil) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }

    /// The property of an object, or of what it inherits from.
    static func property(of object: AnyObject) throws -> DocumentID {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let present = mirror {
            for child in present.children {
                if let id = child.value as? DocumentID { return id }
            }
            mirror = present.superclassMirror
        }
        throw StoreError(
            .invalidParameter, message: "\(type(of: object)) has no property for the id of its document.",
            hint: "Declare one: @DocumentID var id: String?")
    }
}

extension KeyedEncodingContainer {
    /// Synthesised code calls this one: the id is no member of the document.
    public mutating func encode(_ value: DocumentID, forKey key: Key) throws {}
}

extension KeyedDecodingContainer {
    /// Synthesised code calls this one; the id is set after the object is made.
    public func decode(_ type: DocumentID.Type, forKey key: Key) throws -> DocumentID { DocumentID(wrappedValue: nil) }
}
