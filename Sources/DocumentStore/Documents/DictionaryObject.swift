import DocumentValues

/// A dictionary in a document.
// Unchecked: the only state is the node, which is behind a lock; subclasses add none.
public class DictionaryObject: DictionaryProtocol, Sequence, @unchecked Sendable {
    let node: DictionaryNode

    init(_ node: DictionaryNode) { self.node = node }

    public var count: Int { node.keys.count }
    public var keys: [String] { node.keys }

    public subscript(key: String) -> Fragment { Fragment(node[key]) }

    public func array(forKey key: String) -> ArrayObject? { Fragment(node[key]).array }

    public func dictionary(forKey key: String) -> DictionaryObject? { Fragment(node[key]).dictionary }

    public func toDictionary() -> [String: Any] { ValueConversion.plain(node) }

    public func toJSON() -> String { NodeValue.dictionary(node).json.description }

    /// A copy that can be changed.
    public func toMutable() -> MutableDictionaryObject {
        MutableDictionaryObject(DictionaryNode(node, copiedFor: node.origin))
    }

    public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }
}

extension DictionaryObject: Hashable {
    public static func == (left: DictionaryObject, right: DictionaryObject) -> Bool {
        left.node === right.node || NodeValue.dictionary(left.node).json == NodeValue.dictionary(right.node).json
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(NodeValue.dictionary(node).json) }
}

/// A dictionary that can be changed; where it is part of a mutable document, the document changes with it.
public final class MutableDictionaryObject: DictionaryObject, MutableDictionaryProtocol, @unchecked Sendable {
    public convenience init() { self.init(DictionaryNode(origin: ValueOrigin(nil))) }

    public convenience init(data: [String: Any]) {
        self.init()
        setData(data)
    }

    public convenience init(json: String) throws {
        self.init()
        try setJSON(json)
    }

    override init(_ node: DictionaryNode) { super.init(node) }

    public override subscript(key: String) -> MutableFragment { MutableFragment(node, key: key) }

    public override func array(forKey key: String) -> MutableArrayObject? {
        MutableFragment(node, key: key).array as? MutableArrayObject
    }

    public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
        MutableFragment(node, key: key).dictionary as? MutableDictionaryObject
    }

    @discardableResult public func setValue(_ value: Any?, forKey key: String) -> Self {
        node.set(ValueConversion.node(value, origin: node.origin), forKey: key)
        return self
    }

    @discardableResult public func removeValue(forKey key: String) -> Self {
        node.remove(key)
        return self
    }

    @discardableResult public func setData(_ data: [String: Any]) -> Self {
        node.replaceAll(with: ValueConversion.members(data, origin: node.origin))
        return self
    }

    @discardableResult public func setJSON(_ json: String) throws -> Self {
        node.replaceAll(with: try JSONObject(userText: json))
        return self
    }
}

extension JSONObject {
    /// Reads JSON that a caller passed.
    init(userText json: String) throws {
        do throws(JSONError) { try self.init(parsing: Array(json.utf8)) } catch {
            throw StoreError(.invalidParameter, "The text is not a JSON object: \(error).", underlying: error)
        }
    }
}
