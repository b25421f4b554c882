import Synchronization

/// Marks the property of a class that holds the id of its document:
///
///     final class Hotel: Codable {
///         @DocumentID var id: String?
///         var name: String
///     }
///
/// An object that is decoded from a row of a query has the id that is in the column of its property's name:
/// `SELECT META().id, name FROM hotels`. Such an object has no revision: saving it replaces the stored document, or is
/// a conflict.
///
/// The id is no member of the document. It is `nil` until the object is saved, unless it is set before. The id of an
/// object that was saved or loaded cannot be changed: after setting another one it still has the old value, and the
/// next save, deletion or purge of the object throws `.invalidParameter`, until the same id is set again.
@propertyWrapper
public final class DocumentID: Codable, Sendable {
    struct State: Sendable {
        var id: String?
        /// The document from which the object was loaded, or as which it was saved last; `nil` for a new object.
        var document: Document?
        /// Another id that was set on a saved object.
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
                // Texts that `==` takes for equal may have different bytes, and are then different ids.
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

    /// Throws if another id was set on a saved object.
    func check() throws {
        let (id, refused) = state.withLock { ($0.id, $0.refused) }
        guard let refused else { return }
        throw StoreError(
            .invalidParameter, message: "The document id of an object that was saved cannot be changed.",
            context: ["document": id ?? "", "id": refused ?? "nil"],
            hint: "Save a new object under the other id, and delete this one.")
    }

    func attach(to document: Document) { state.withLock { $0 = State(id: document.id, document: document) } }

    /// The id, and the revision of the object; an object without a revision was not stored yet.
    struct Attachment: Sendable {
        let id: String?
        let version: Document.Version?
    }

    /// Without the document's content: a large batch notes one for each object that it saves.
    var attachment: Attachment {
        state.withLock { Attachment(id: $0.id, version: $0.document?.present) }
    }

    /// Called when the save after `former` is rolled back.
    func takeBack(to former: Attachment) {
        if let version = former.version {
            document?.present = version
        } else if document != nil {
            state.withLock { $0 = State(id: former.id) }
        }
    }

    /// The id of an object that is one column of a row, from the column of its property's name.
    static func fill(_ object: AnyObject, fromColumn column: (String) -> String?) {
        guard let (label, property) = labelledProperty(of: object), let id = column(label) else { return }
        property.state.withLock { $0.id = id }
    }

    // The containers below read and write the property themselves; these are for coders that call them all the same.

    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: try container.decodeNil() ? nil : container.decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }

    /// The property of an object, or of a class from which it inherits.
    static func property(of object: AnyObject) throws -> DocumentID {
        if let (_, property) = labelledProperty(of: object) { return property }
        throw StoreError(
            .invalidParameter, message: "\(type(of: object)) has no property for the id of its document.",
            hint: "Declare one: @DocumentID var id: String?")
    }

    /// With the name that it was declared with.
    private static func labelledProperty(of object: AnyObject) -> (label: String, property: DocumentID)? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let present = mirror {
            for child in present.children {
                guard let id = child.value as? DocumentID else { continue }
                // The stored property of a wrapper has an underscore in front of its name.
                return (String((child.label ?? "").drop { $0 == "_" }), id)
            }
            mirror = present.superclassMirror
        }
        return nil
    }
}

extension KeyedEncodingContainer {
    /// Synthesised code calls this one: the id is no member of the document.
    public mutating func encode(_ value: DocumentID, forKey key: Key) throws {}
}

extension KeyedDecodingContainer {
    /// Synthesised code calls this one, for the id in a row of a query. That of a document is set after the object is made: a
    /// member of the property's name may be of any type, and is ignored.
    public func decode(_ type: DocumentID.Type, forKey key: Key) throws -> DocumentID {
        DocumentID(wrappedValue: contains(key) ? (try? decode(String.self, forKey: key)) : nil)
    }
}
