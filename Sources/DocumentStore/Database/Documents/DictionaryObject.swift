import DocumentValues

/// A dictionary in a document.
// Unchecked: the only state is the node, which is behind a lock; subclasses add none.
public class DictionaryObject: DictionaryProtocol, Sequence, @unchecked Sendable {
    let node: DictionaryNode

    init(_ node: DictionaryNode) { self.node = node }

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

    /// The members as JSON text.
    public func toJSON() -> String { NodeValue.dictionary(node).json.description }

    /// A copy that can be changed.
    public func toMutable() -> MutableDictionaryObject {
        MutableDictionaryObject(DictionaryNode(node, copiedFor: node.origin))
    }

    /// The names of the members.
    public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}

extension DictionaryObject: Hashable {
    /// Same members.
    public static func == (left: DictionaryObject, right: DictionaryObject) -> Bool {
        left.node === right.node || NodeValue.dictionary(left.node).json == NodeValue.dictionary(right.node).json
    }

    /// Of the members.
    public func hash(into hasher: inout Hasher) { hasher.combine(NodeValue.dictionary(node).json) }
}

/// A dictionary that can be changed; where it is part of a mutable document, the document changes with it.
public final class MutableDictionaryObject: DictionaryObject, MutableDictionaryProtocol, @unchecked Sendable {
    /// An empty dictionary.
    public convenience init() { self.init(DictionaryNode(origin: ValueOrigin(nil))) }

    /// A dictionary of these values.
    public convenience init(data: [String: Any]) {
        self.init()
        setData(data)
    }

    /// A dictionary of the members of a JSON object.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` for any other text.
    public convenience init(json: String) throws {
        self.init()
        try setJSON(json)
    }

    override init(_ node: DictionaryNode) { super.init(node) }

    /// The member, or its absence: ``Fragment/exists``.
    public override subscript(key: String) -> MutableFragment { MutableFragment(node, key: key) }

    /// The array; `nil` where there is none.
    public override func array(forKey key: String) -> MutableArrayObject? {
        MutableFragment(node, key: key).array
    }

    /// The dictionary; `nil` where there is none.
    public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
        MutableFragment(node, key: key).dictionary
    }

    /// Stores a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult public func setValue(_ value: Any?, forKey key: String) -> Self {
        node.set(ValueConversion.node(value, origin: node.origin), forKey: key)
        return self
    }

    /// Removes the member; where there is none, nothing happens.
    @discardableResult public func removeValue(forKey key: String) -> Self {
        node.remove(key)
        return self
    }

    /// Replaces all members.
    @discardableResult public func setData(_ data: [String: Any]) -> Self {
        node.replaceAll(with: ValueConversion.members(data, origin: node.origin))
        return self
    }

    /// Replaces all members by those of a JSON object.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` for any other text; then nothing is replaced.
    @discardableResult public func setJSON(_ json: String) throws -> Self {
        node.replaceAll(with: try ObjectText(userText: json))
        return self
    }
}

extension ObjectText {
    /// Reads JSON that a caller passed.
    init(userText json: String) throws {
        do throws(JSONError) { try self.init(reading: Array(json.utf8), halves: .refused) } catch {
            throw StoreError(.invalidParameter, message: "The text is not a JSON object: \(error).", underlying: error)
        }
    }
}
