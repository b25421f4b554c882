import DocumentValues
import Foundation

/// A value somewhere in a document, or its absence; subscripts go on from it: `document["address"]["street"].string`.
public class Fragment {
    let nodeValue: NodeValue?

    init(_ value: NodeValue?) { nodeValue = value }

    /// Strings, numbers, booleans, `NSNull`, `Blob`, `ArrayObject`, `DictionaryObject`.
    public var value: Any? { nodeValue.map { ValueConversion.value($0, mutable: false) } }

    /// Whether there is a value, null or not.
    public var exists: Bool { nodeValue != nil }

    /// The text; `nil` where there is none.
    public var string: String? { json?.stringValue }

    /// The number, or a boolean as 0 or 1; `nil` where there is neither.
    public var number: NSNumber? {
        switch json {
        case .bool(let value): NSNumber(value: value)
        case .number(let number):
            if number.isWhole, let value = number.int64 {
                NSNumber(value: value)
            } else if number.isWhole, let value = number.uint64 {
                NSNumber(value: value)
            } else {
                NSNumber(value: number.double)
            }
        case .null, .string, .array, .object, nil: nil
        }
    }

    /// 0 where there is no number.
    public var int: Int { Int(int64) }

    /// The whole part of the number, 1 for true; 0 where there is neither. A number that is too large becomes the
    /// nearest value.
    public var int64: Int64 {
        switch json {
        case .bool(let value): value ? 1 : 0
        case .number(let number): number.int64 ?? Int64(truncatingDouble: number.double)
        case .null, .string, .array, .object, nil: 0
        }
    }

    /// The number as a `Float`, 1 for true; 0 where there is neither.
    public var float: Float { Float(double) }

    /// The number as a `Double`, 1 for true; 0 where there is neither.
    public var double: Double {
        switch json {
        case .bool(let value): value ? 1 : 0
        case .number(let number): number.double
        case .null, .string, .array, .object, nil: 0
        }
    }

    /// False where there is neither a boolean nor a number; a number counts as true when it is not 0.
    public var boolean: Bool {
        switch json {
        case .bool(let value): value
        case .number(let number): number.double != 0
        case .null, .string, .array, .object, nil: false
        }
    }

    /// The date that an ISO 8601 text is, a day or a moment, in UTC where it names no time zone; `nil` where there is none, or
    /// more than a date.
    public var date: Date? { string.flatMap(DocumentDate.date) }

    /// The attachment; `nil` where there is none.
    public var blob: Blob? {
        guard case .blob(let blob) = nodeValue else { return nil }
        return blob
    }

    /// The array; `nil` where there is none.
    public var array: ArrayObject? {
        guard case .array(let node) = nodeValue else { return nil }
        return ArrayObject(node)
    }

    /// The dictionary; `nil` where there is none.
    public var dictionary: DictionaryObject? {
        guard case .dictionary(let node) = nodeValue else { return nil }
        return DictionaryObject(node)
    }

    /// The member of that name, where the value is a dictionary; else its absence.
    public subscript(key: String) -> Fragment {
        guard case .dictionary(let node) = nodeValue else { return Fragment(nil) }
        return Fragment(node[key])
    }

    /// The element of that index, where the value is an array; else its absence.
    public subscript(index: Int) -> Fragment {
        guard case .array(let node) = nodeValue else { return Fragment(nil) }
        return Fragment(node[index])
    }

    private var json: JSONValue? {
        guard case .json(let value) = nodeValue else { return nil }
        return value
    }
}

extension Int64 {
    /// The whole part; a number that is too large for 64 bits becomes the nearest value.
    fileprivate init(truncatingDouble value: Double) {
        guard !value.isNaN else {
            self = 0
            return
        }
        self = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}

/// A value somewhere in a mutable document; setting it changes the document.
///
/// Setting the child of something that is no container does nothing, as in Couchbase Lite.
public final class MutableFragment: Fragment {
    private enum Position {
        case member(DictionaryNode, String)
        case element(ArrayNode, Int)
        case nowhere
    }

    private let position: Position

    init(_ node: DictionaryNode, key: String) {
        position = .member(node, key)
        super.init(node[key])
    }

    init(_ node: ArrayNode, index: Int) {
        position = .element(node, index)
        super.init(node[index])
    }

    private init() {
        position = .nowhere
        super.init(nil)
    }

    private func set(_ value: Any?) {
        switch position {
        case .member(let node, let key): node.set(ValueConversion.node(value, origin: node.origin), forKey: key)
        case .element(let node, let index): node.set(ValueConversion.node(value, origin: node.origin), at: index)
        case .nowhere: break
        }
    }

    /// The present value, also after it was set.
    private var present: Fragment {
        switch position {
        case .member(let node, let key): Fragment(node[key])
        case .element(let node, let index): Fragment(node[index])
        case .nowhere: Fragment(nil)
        }
    }

    /// Whether there is a value, null or not, after setting too.
    public override var exists: Bool { present.exists }
    /// The value; setting it stores it as `setValue` does.
    public override var value: Any? {
        get { present.nodeValue.map { ValueConversion.value($0, mutable: true) } }
        set { set(newValue) }
    }
    /// The text; `nil` where there is none; setting it changes the document.
    public override var string: String? {
        get { present.string }
        set { set(newValue) }
    }
    /// The number, or a boolean as 0 or 1; `nil` where there is neither; setting it changes the document.
    public override var number: NSNumber? {
        get { present.number }
        set { set(newValue) }
    }
    /// The whole part of the number, 1 for true; 0 where there is neither; setting it changes the document.
    public override var int: Int {
        get { present.int }
        set { set(newValue) }
    }
    /// The whole part of the number, 1 for true; 0 where there is neither. A number that is too large becomes the
    /// nearest value; setting it changes the document.
    public override var int64: Int64 {
        get { present.int64 }
        set { set(newValue) }
    }
    /// The number as a `Float`, 1 for true; 0 where there is neither; setting it changes the document.
    public override var float: Float {
        get { present.float }
        set { set(newValue) }
    }
    /// The number as a `Double`, 1 for true; 0 where there is neither; setting it changes the document.
    public override var double: Double {
        get { present.double }
        set { set(newValue) }
    }
    /// The boolean, or whether the number is not 0; false where there is neither; setting it changes the document.
    public override var boolean: Bool {
        get { present.boolean }
        set { set(newValue) }
    }
    /// The date that an ISO 8601 text is; `nil` where there is none; setting it changes the document.
    public override var date: Date? {
        get { present.date }
        set { set(newValue) }
    }
    /// The attachment; `nil` where there is none; setting it changes the document.
    public override var blob: Blob? {
        get { present.blob }
        set { set(newValue) }
    }
    /// The array, whose changes are the document's; `nil` where there is none; setting it changes the document.
    public override var array: MutableArrayObject? {
        get {
            guard case .array(let node) = present.nodeValue else { return nil }
            return MutableArrayObject(node)
        }
        set { set(newValue) }
    }
    /// The dictionary, whose changes are the document's; `nil` where there is none; setting it changes the document.
    public override var dictionary: MutableDictionaryObject? {
        get {
            guard case .dictionary(let node) = present.nodeValue else { return nil }
            return MutableDictionaryObject(node)
        }
        set { set(newValue) }
    }

    /// The member of that name, where the value is a dictionary; else its absence.
    public override subscript(key: String) -> MutableFragment {
        guard case .dictionary(let node) = present.nodeValue else { return MutableFragment() }
        return MutableFragment(node, key: key)
    }

    /// The element of that index, where the value is an array; else its absence.
    public override subscript(index: Int) -> MutableFragment {
        guard case .array(let node) = present.nodeValue else { return MutableFragment() }
        return MutableFragment(node, index: index)
    }
}
