import DocumentValues
import Foundation

/// Read access to the elements of an array in a document; typed getters behave as those of dictionaries do.
public protocol ArrayProtocol {
    var count: Int { get }
    subscript(index: Int) -> Fragment { get }
    func array(at index: Int) -> ArrayObject?
    func dictionary(at index: Int) -> DictionaryObject?
    func toArray() -> [Any]
    func toJSON() -> String
}

extension ArrayProtocol {
    public func value(at index: Int) -> Any? { self[index].value }
    public func string(at index: Int) -> String? { self[index].string }
    public func number(at index: Int) -> NSNumber? { self[index].number }
    public func int(at index: Int) -> Int { self[index].int }
    public func int64(at index: Int) -> Int64 { self[index].int64 }
    public func float(at index: Int) -> Float { self[index].float }
    public func double(at index: Int) -> Double { self[index].double }
    public func boolean(at index: Int) -> Bool { self[index].boolean }
    public func date(at index: Int) -> Date? { self[index].date }
    public func blob(at index: Int) -> Blob? { self[index].blob }
}

/// An array in a document.
// Unchecked: the only state is the node, which is behind a lock; subclasses add none.
public class ArrayObject: ArrayProtocol, Sequence, @unchecked Sendable {
    let node: ArrayNode

    init(_ node: ArrayNode) { self.node = node }

    public var count: Int { node.count }

    public subscript(index: Int) -> Fragment { Fragment(node[index]) }

    public func array(at index: Int) -> ArrayObject? { Fragment(node[index]).array }

    public func dictionary(at index: Int) -> DictionaryObject? { Fragment(node[index]).dictionary }

    public func toArray() -> [Any] { ValueConversion.plain(node) }

    public func toJSON() -> String { NodeValue.array(node).json.description }

    /// A copy that can be changed.
    public func toMutable() -> MutableArrayObject { MutableArrayObject(ArrayNode(node, copiedFor: node.origin)) }

    public func makeIterator() -> AnyIterator<Any> {
        var index = 0
        return AnyIterator {
            defer { index += 1 }
            return self.value(at: index)
        }
    }
}

extension ArrayObject: Hashable {
    public static func == (left: ArrayObject, right: ArrayObject) -> Bool {
        left.node === right.node || NodeValue.array(left.node).json == NodeValue.array(right.node).json
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(NodeValue.array(node).json) }
}

/// Write access to the elements of an array; an index outside the array is a programming error.
public protocol MutableArrayProtocol: ArrayProtocol {
    @discardableResult func setValue(_ value: Any?, at index: Int) -> Self
    @discardableResult func addValue(_ value: Any?) -> Self
    @discardableResult func insertValue(_ value: Any?, at index: Int) -> Self
    @discardableResult func removeValue(at index: Int) -> Self
    /// Replaces all elements.
    @discardableResult func setData(_ data: [Any]) -> Self
    /// Replaces all elements by those of a JSON array.
    @discardableResult func setJSON(_ json: String) throws -> Self
}

extension MutableArrayProtocol {
    @discardableResult public func setString(_ value: String?, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setNumber(_ value: NSNumber?, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setInt(_ value: Int, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setInt64(_ value: Int64, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setFloat(_ value: Float, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setDouble(_ value: Double, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setBoolean(_ value: Bool, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setDate(_ value: Date?, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setBlob(_ value: Blob?, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setArray(_ value: ArrayObject?, at index: Int) -> Self { setValue(value, at: index) }
    @discardableResult public func setDictionary(_ value: DictionaryObject?, at index: Int) -> Self {
        setValue(value, at: index)
    }

    @discardableResult public func addString(_ value: String?) -> Self { addValue(value) }
    @discardableResult public func addNumber(_ value: NSNumber?) -> Self { addValue(value) }
    @discardableResult public func addInt(_ value: Int) -> Self { addValue(value) }
    @discardableResult public func addInt64(_ value: Int64) -> Self { addValue(value) }
    @discardableResult public func addFloat(_ value: Float) -> Self { addValue(value) }
    @discardableResult public func addDouble(_ value: Double) -> Self { addValue(value) }
    @discardableResult public func addBoolean(_ value: Bool) -> Self { addValue(value) }
    @discardableResult public func addDate(_ value: Date?) -> Self { addValue(value) }
    @discardableResult public func addBlob(_ value: Blob?) -> Self { addValue(value) }
    @discardableResult public func addArray(_ value: ArrayObject?) -> Self { addValue(value) }
    @discardableResult public func addDictionary(_ value: DictionaryObject?) -> Self { addValue(value) }

    @discardableResult public func insertString(_ value: String?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    @discardableResult public func insertNumber(_ value: NSNumber?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    @discardableResult public func insertInt(_ value: Int, at index: Int) -> Self { insertValue(value, at: index) }
    @discardableResult public func insertInt64(_ value: Int64, at index: Int) -> Self { insertValue(value, at: index) }
    @discardableResult public func insertFloat(_ value: Float, at index: Int) -> Self { insertValue(value, at: index) }
    @discardableResult public func insertDouble(_ value: Double, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    @discardableResult public func insertBoolean(_ value: Bool, at index: Int) -> Self { insertValue(value, at: index) }
    @discardableResult public func insertDate(_ value: Date?, at index: Int) -> Self { insertValue(value, at: index) }
    @discardableResult public func insertBlob(_ value: Blob?, at index: Int) -> Self { insertValue(value, at: index) }
    @discardableResult public func insertArray(_ value: ArrayObject?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    @discardableResult public func insertDictionary(_ value: DictionaryObject?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
}

/// An array that can be changed; where it is part of a mutable document, the document changes with it.
public final class MutableArrayObject: ArrayObject, MutableArrayProtocol, @unchecked Sendable {
    public convenience init() { self.init(ArrayNode(origin: ValueOrigin(nil))) }

    public convenience init(data: [Any]) {
        self.init()
        setData(data)
    }

    public convenience init(json: String) throws {
        self.init()
        try setJSON(json)
    }

    override init(_ node: ArrayNode) { super.init(node) }

    public override subscript(index: Int) -> MutableFragment { MutableFragment(node, index: index) }

    public override func array(at index: Int) -> MutableArrayObject? {
        MutableFragment(node, index: index).array as? MutableArrayObject
    }

    public override func dictionary(at index: Int) -> MutableDictionaryObject? {
        MutableFragment(node, index: index).dictionary as? MutableDictionaryObject
    }

    @discardableResult public func setValue(_ value: Any?, at index: Int) -> Self {
        node.set(ValueConversion.node(value, origin: node.origin), at: index)
        return self
    }

    @discardableResult public func addValue(_ value: Any?) -> Self {
        node.append(ValueConversion.node(value, origin: node.origin))
        return self
    }

    @discardableResult public func insertValue(_ value: Any?, at index: Int) -> Self {
        node.insert(ValueConversion.node(value, origin: node.origin), at: index)
        return self
    }

    @discardableResult public func removeValue(at index: Int) -> Self {
        node.remove(at: index)
        return self
    }

    @discardableResult public func setData(_ data: [Any]) -> Self {
        node.replaceAll(with: data.map { ValueConversion.node($0, origin: node.origin) })
        return self
    }

    @discardableResult public func setJSON(_ json: String) throws -> Self {
        do throws(JSONError) {
            let value = try JSONValue(parsing: json)
            guard let elements = value.arrayValue else { throw JSONError(.unexpectedCharacter, offset: 0) }
            node.replaceAll(with: elements.map(NodeValue.json))
        } catch {
            throw StoreError(.invalidParameter, "The text is not a JSON array: \(error).", underlying: error)
        }
        return self
    }
}
