import Synchronization

/// Marks the property of a class that holds the id of its document:
///
///     final class Hotel: Codable {
///         @DocumentID var id: String?
///         var name: String
///     }
///
/// The id is no member of the document. It is `nil` until the object is saved, unless it is set before; the id of an
/// object that was saved or loaded cannot be changed.
@propertyWrapper
public final class DocumentID: Codable, Sendable {
    struct State: Sendable {
        var id: String?
        /// What the object was loaded from or last saved as; `nil` for a new one.
        var document: Document?
    }

    private let state: Mutex<State>

    public init(wrappedValue: String?) { state = Mutex(State(id: wrappedValue)) }

    public var wrappedValue: String? {
        get { state.withLock { $0.id } }
        set {
            state.withLock { state in
                precondition(
                    state.document == nil || state.id == newValue,
                    "The document id of an object that was saved cannot be changed.")
                state.id = newValue
            }
        }
    }

    var document: Document? { state.withLock { $0.document } }

    func attach(to document: Document) { state.withLock { $0 = State(id: document.id, document: document) } }

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
            .invalidParameter, "\(type(of: object)) has no property for the id of its document.",
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
