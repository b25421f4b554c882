import DocumentValues
import Foundation

/// Read access to the elements of an array in a document; typed getters behave as those of dictionaries do.
public protocol ArrayProtocol {
    /// How many elements there are.
    var count: Int { get }
    /// The element, or its absence where the index is outside.
    subscript(index: Int) -> Fragment { get }
    /// The array; `nil` where there is none.
    func array(at index: Int) -> ArrayObject?
    /// The dictionary; `nil` where there is none.
    func dictionary(at index: Int) -> DictionaryObject?
    /// The elements as Swift values: containers as `[String: Any]` and `[Any]`, null as `NSNull`.
    func toArray() -> [Any]
    /// The elements as JSON text.
    func toJSON() -> String
}

extension ArrayProtocol {
    /// The value as Swift has it: `String`, `NSNumber`, `NSNull`, `Blob`, ``ArrayObject`` or ``DictionaryObject``;
    /// `nil` where there is no such element.
    public func value(at index: Int) -> Any? { self[index].value }
    /// The text; `nil` where there is none.
    public func string(at index: Int) -> String? { self[index].string }
    /// The number, or a boolean as 0 or 1; `nil` where there is neither.
    public func number(at index: Int) -> NSNumber? { self[index].number }
    /// The whole part of the number, 1 for true; 0 where there is neither.
    public func int(at index: Int) -> Int { self[index].int }
    /// The whole part of the number, 1 for true; 0 where there is neither. A number that is too large becomes the
    /// nearest value.
    public func int64(at index: Int) -> Int64 { self[index].int64 }
    /// The number as a `Float`, 1 for true; 0 where there is neither.
    public func float(at index: Int) -> Float { self[index].float }
    /// The number as a `Double`, 1 for true; 0 where there is neither.
    public func double(at index: Int) -> Double { self[index].double }
    /// The boolean, or whether the number is not 0; false where there is neither.
    public func boolean(at index: Int) -> Bool { self[index].boolean }
    /// The date that an ISO 8601 text is, a day or a moment, in UTC where it names no time zone; `nil` where there is none, or
    /// more than a date.
    public func date(at index: Int) -> Date? { self[index].date }
    /// The attachment; `nil` where there is none.
    public func blob(at index: Int) -> Blob? { self[index].blob }
}

/// An array in a document.
// Unchecked: the only state is the node, which is behind a lock; subclasses add none.
public class ArrayObject: ArrayProtocol, Sequence, @unchecked Sendable {
    let node: ArrayNode

    init(_ node: ArrayNode) { self.node = node }

    /// How many elements there are.
    public var count: Int { node.count }

    /// The element, or its absence where the index is outside.
    public subscript(index: Int) -> Fragment { Fragment(node[index]) }

    /// The array; `nil` where there is none.
    public func array(at index: Int) -> ArrayObject? { Fragment(node[index]).array }

    /// The dictionary; `nil` where there is none.
    public func dictionary(at index: Int) -> DictionaryObject? { Fragment(node[index]).dictionary }

    /// The elements as Swift values: containers as `[String: Any]` and `[Any]`, null as `NSNull`.
    public func toArray() -> [Any] { ValueConversion.plain(node) }

    /// The elements as JSON text.
    public func toJSON() -> String { NodeValue.array(node).json.description }

    /// A copy that can be changed.
    public func toMutable() -> MutableArrayObject { MutableArrayObject(ArrayNode(node, copiedFor: node.origin)) }

    /// The elements as `value(at:)` has them.
    public func makeIterator() -> AnyIterator<Any> {
        var index = 0
        return AnyIterator {
            defer { index += 1 }
            return self.value(at: index)
        }
    }
}

extension ArrayObject: Hashable {
    /// Same elements.
    public static func == (left: ArrayObject, right: ArrayObject) -> Bool {
        left.node === right.node || NodeValue.array(left.node).json == NodeValue.array(right.node).json
    }

    /// Of the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(NodeValue.array(node).json) }
}

/// Write access to the elements of an array.
///
/// An edit at an index outside the array changes nothing, and saving the document then throws `.invalidParameter`.
public protocol MutableArrayProtocol: ArrayProtocol {
    /// Stores a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult func setValue(_ value: Any?, at index: Int) -> Self
    /// Appends a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult func addValue(_ value: Any?) -> Self
    /// Inserts a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult func insertValue(_ value: Any?, at index: Int) -> Self
    /// Removes the element; those after it move up.
    @discardableResult func removeValue(at index: Int) -> Self
    /// Replaces all elements.
    @discardableResult func setData(_ data: [Any]) -> Self
    /// Replaces all elements by those of a JSON array.
    @discardableResult func setJSON(_ json: String) throws -> Self
}

extension MutableArrayProtocol {
    /// Stores a text, `nil` as null.
    @discardableResult public func setString(_ value: String?, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a number or a boolean, `nil` as null.
    @discardableResult public func setNumber(_ value: NSNumber?, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a whole number.
    @discardableResult public func setInt(_ value: Int, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a whole number.
    @discardableResult public func setInt64(_ value: Int64, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a number; one that is not finite is refused when the document is saved.
    @discardableResult public func setFloat(_ value: Float, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a number; one that is not finite is refused when the document is saved.
    @discardableResult public func setDouble(_ value: Double, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a boolean.
    @discardableResult public func setBoolean(_ value: Bool, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a date as an ISO 8601 text with milliseconds, `nil` as null.
    @discardableResult public func setDate(_ value: Date?, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores an attachment, whose bytes are stored when the document is saved; `nil` as null.
    @discardableResult public func setBlob(_ value: Blob?, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores an array, `nil` as null.
    @discardableResult public func setArray(_ value: ArrayObject?, at index: Int) -> Self { setValue(value, at: index) }
    /// Stores a dictionary, `nil` as null.
    @discardableResult public func setDictionary(_ value: DictionaryObject?, at index: Int) -> Self {
        setValue(value, at: index)
    }

    /// Appends a text, `nil` as null.
    @discardableResult public func addString(_ value: String?) -> Self { addValue(value) }
    /// Appends a number or a boolean, `nil` as null.
    @discardableResult public func addNumber(_ value: NSNumber?) -> Self { addValue(value) }
    /// Appends a whole number.
    @discardableResult public func addInt(_ value: Int) -> Self { addValue(value) }
    /// Appends a whole number.
    @discardableResult public func addInt64(_ value: Int64) -> Self { addValue(value) }
    /// Appends a number; one that is not finite is refused when the document is saved.
    @discardableResult public func addFloat(_ value: Float) -> Self { addValue(value) }
    /// Appends a number; one that is not finite is refused when the document is saved.
    @discardableResult public func addDouble(_ value: Double) -> Self { addValue(value) }
    /// Appends a boolean.
    @discardableResult public func addBoolean(_ value: Bool) -> Self { addValue(value) }
    /// Appends a date as an ISO 8601 text with milliseconds, `nil` as null.
    @discardableResult public func addDate(_ value: Date?) -> Self { addValue(value) }
    /// Appends an attachment, whose bytes are stored when the document is saved; `nil` as null.
    @discardableResult public func addBlob(_ value: Blob?) -> Self { addValue(value) }
    /// Appends an array, `nil` as null.
    @discardableResult public func addArray(_ value: ArrayObject?) -> Self { addValue(value) }
    /// Appends a dictionary, `nil` as null.
    @discardableResult public func addDictionary(_ value: DictionaryObject?) -> Self { addValue(value) }

    /// Inserts a text, `nil` as null.
    @discardableResult public func insertString(_ value: String?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    /// Inserts a number or a boolean, `nil` as null.
    @discardableResult public func insertNumber(_ value: NSNumber?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    /// Inserts a whole number.
    @discardableResult public func insertInt(_ value: Int, at index: Int) -> Self { insertValue(value, at: index) }
    /// Inserts a whole number.
    @discardableResult public func insertInt64(_ value: Int64, at index: Int) -> Self { insertValue(value, at: index) }
    /// Inserts a number; one that is not finite is refused when the document is saved.
    @discardableResult public func insertFloat(_ value: Float, at index: Int) -> Self { insertValue(value, at: index) }
    /// Inserts a number; one that is not finite is refused when the document is saved.
    @discardableResult public func insertDouble(_ value: Double, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    /// Inserts a boolean.
    @discardableResult public func insertBoolean(_ value: Bool, at index: Int) -> Self { insertValue(value, at: index) }
    /// Inserts a date as an ISO 8601 text with milliseconds, `nil` as null.
    @discardableResult public func insertDate(_ value: Date?, at index: Int) -> Self { insertValue(value, at: index) }
    /// Inserts an attachment, whose bytes are stored when the document is saved; `nil` as null.
    @discardableResult public func insertBlob(_ value: Blob?, at index: Int) -> Self { insertValue(value, at: index) }
    /// Inserts an array, `nil` as null.
    @discardableResult public func insertArray(_ value: ArrayObject?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
    /// Inserts a dictionary, `nil` as null.
    @discardableResult public func insertDictionary(_ value: DictionaryObject?, at index: Int) -> Self {
        insertValue(value, at: index)
    }
}

/// An array that can be changed; where it is part of a mutable document, the document changes with it.
public final class MutableArrayObject: ArrayObject, MutableArrayProtocol, @unchecked Sendable {
    /// An empty array.
    public convenience init() { self.init(ArrayNode(origin: ValueOrigin(nil))) }

    /// An array of these values.
    public convenience init(data: [Any]) {
        self.init()
        setData(data)
    }

    /// An array of the elements of a JSON array.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` for any other text.
    public convenience init(json: String) throws {
        self.init()
        try setJSON(json)
    }

    override init(_ node: ArrayNode) { super.init(node) }

    /// The element, or its absence where the index is outside.
    public override subscript(index: Int) -> MutableFragment { MutableFragment(node, index: index) }

    /// The array; `nil` where there is none.
    public override func array(at index: Int) -> MutableArrayObject? {
        MutableFragment(node, index: index).array
    }

    /// The dictionary; `nil` where there is none.
    public override func dictionary(at index: Int) -> MutableDictionaryObject? {
        MutableFragment(node, index: index).dictionary
    }

    /// Stores a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult public func setValue(_ value: Any?, at index: Int) -> Self {
        node.set(ValueConversion.node(value, origin: node.origin), at: index)
        return self
    }

    /// Appends a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult public func addValue(_ value: Any?) -> Self {
        node.append(ValueConversion.node(value, origin: node.origin))
        return self
    }

    /// Inserts a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult public func insertValue(_ value: Any?, at index: Int) -> Self {
        node.insert(ValueConversion.node(value, origin: node.origin), at: index)
        return self
    }

    /// Removes the element; those after it move up.
    @discardableResult public func removeValue(at index: Int) -> Self {
        node.remove(at: index)
        return self
    }

    /// Replaces all elements.
    @discardableResult public func setData(_ data: [Any]) -> Self {
        node.replaceAll(with: data.map { ValueConversion.node($0, origin: node.origin) })
        return self
    }

    /// Replaces all elements by those of a JSON array.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` for any other text; then nothing is replaced.
    @discardableResult public func setJSON(_ json: String) throws -> Self {
        do throws(JSONError) {
            let value = try JSONValue(parsing: Array(json.utf8), halves: .refused)
            guard let elements = value.arrayValue else { throw JSONError(.unexpectedCharacter, offset: 0) }
            node.replaceAll(with: elements.map(NodeValue.json))
        } catch {
            throw StoreError(.invalidParameter, message: "The text is not a JSON array: \(error).", underlying: error)
        }
        return self
    }
}
