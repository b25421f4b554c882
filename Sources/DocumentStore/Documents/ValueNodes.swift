import DocumentValues
import Synchronization

/// A value in a document's tree. Containers become nodes of their own when somebody asks for them, so that all who hold
/// one see the same edits; until then they stay JSON.
enum NodeValue: Sendable {
    case json(JSONValue)
    case dictionary(DictionaryNode)
    case array(ArrayNode)
    case blob(Blob)
    /// Something that no document can hold, and why not: saving says so.
    case unstorable(String)
}

/// What is met while a tree is written as JSON.
struct WrittenValues {
    /// Those that are not stored yet among them.
    var blobs: [Blob] = []
    var faults: [ValueFault] = []
    /// How many containers are around what is written next.
    fileprivate(set) var depth = 0
}

extension NodeValue {
    /// What is deeper than the reader goes could be saved and never read again.
    static let tooDeep = NodeValue.unstorable("it is nested more than \(JSONLimits.depth) levels deep")
    fileprivate static let containsItself = NodeValue.unstorable("it contains itself")
}

/// A value that cannot be saved.
struct ValueFault: Sendable, Hashable {
    /// From the value up to the document's own member: keys, and indexes in brackets.
    private(set) var steps: [String] = []
    let reason: String

    init(_ reason: String) { self.reason = reason }

    mutating func lies(below step: String) { steps.append(step) }

    /// `readings[3].unit`
    var path: String {
        steps.reversed().reduce(into: "") { path, step in
            path += path.isEmpty || step.hasPrefix("[") ? step : ".\(step)"
        }
    }
}

/// The members of a dictionary under a lock. `Document`, `DictionaryObject` and their mutable forms are views of it.
final class DictionaryNode: Sendable {
    private struct Members {
        var keys: [String] = []
        var values: [Name: NodeValue] = [:]
    }

    private let members: Mutex<Members>
    let origin: ValueOrigin

    init(_ object: JSONObject = JSONObject(), origin: ValueOrigin) {
        self.origin = origin
        members = Mutex(Self.members(object))
    }

    private static func members(_ object: JSONObject) -> Members {
        Members(
            keys: object.keys,
            values: Dictionary(object.members.map { (Name($0.key), .json($0.value)) }, uniquingKeysWith: { $1 }))
    }

    var keys: [String] { members.withLock { $0.keys } }

    /// The value, a container or a blob as an object that is shared from now on.
    subscript(key: String) -> NodeValue? {
        members.withLock { members in
            guard let value = members.values[Name(key)] else { return nil }
            let shared = value.shared(origin)
            members.values[Name(key)] = shared
            return shared
        }
    }

    func set(_ value: NodeValue, forKey key: String) {
        let value = value.reaches(self) ? .containsItself : value
        members.withLock { members in
            if members.values.updateValue(value, forKey: Name(key)) == nil { members.keys.append(key) }
        }
    }

    func remove(_ key: String) {
        members.withLock { members in
            if members.values.removeValue(forKey: Name(key)) != nil {
                members.keys.removeAll { $0.isExactly(key) }
            }
        }
    }

    func replaceAll(with values: [(key: String, value: NodeValue)]) {
        members.withLock { members in
            members = Members()
            for (key, value) in values where members.values.updateValue(value, forKey: Name(key)) == nil {
                members.keys.append(key)
            }
        }
    }

    func replaceAll(with object: JSONObject) { members.withLock { $0 = Self.members(object) } }

    fileprivate var values: [NodeValue] { members.withLock { Array($0.values.values) } }

    /// The tree as JSON; what cannot be written is null in it.
    func object(collecting written: inout WrittenValues) -> JSONObject {
        written.depth += 1
        defer { written.depth -= 1 }
        let members = members.withLock { members in
            members.keys.compactMap { key in members.values[Name(key)].map { (key, $0) } }
        }
        return JSONObject(
            members: members.map { key, value in
                let before = written.faults.count
                let json = value.json(collecting: &written)
                for place in before..<written.faults.count { written.faults[place].lies(below: key) }
                return JSONObject.Member(key: key, value: json)
            })
    }
}

/// The elements of an array under a lock.
final class ArrayNode: Sendable {
    private struct Elements {
        var values: [NodeValue]
        /// The first edit at an index that the array did not have; it changed nothing, and saving says so.
        var fault: String?

        /// Whether an edit can be made there; the first that cannot is remembered.
        mutating func accepts(_ index: Int, in range: Range<Int>) -> Bool {
            if range.contains(index) { return true }
            if fault == nil { fault = "index \(index) was outside the array, which had \(values.count) elements" }
            return false
        }
    }

    private let elements: Mutex<Elements>
    let origin: ValueOrigin

    init(_ elements: [JSONValue] = [], origin: ValueOrigin) {
        self.origin = origin
        self.elements = Mutex(Elements(values: elements.map(NodeValue.json)))
    }

    var count: Int { elements.withLock { $0.values.count } }

    subscript(index: Int) -> NodeValue? {
        elements.withLock { elements in
            guard elements.values.indices.contains(index) else { return nil }
            let shared = elements.values[index].shared(origin)
            elements.values[index] = shared
            return shared
        }
    }

    func set(_ value: NodeValue, at index: Int) {
        let value = value.reaches(self) ? .containsItself : value
        elements.withLock { elements in
            if elements.accepts(index, in: elements.values.indices) { elements.values[index] = value }
        }
    }

    func insert(_ value: NodeValue, at index: Int) {
        let value = value.reaches(self) ? .containsItself : value
        elements.withLock { elements in
            if elements.accepts(index, in: 0..<elements.values.count + 1) { elements.values.insert(value, at: index) }
        }
    }

    func append(_ value: NodeValue) {
        let value = value.reaches(self) ? .containsItself : value
        elements.withLock { $0.values.append(value) }
    }

    fileprivate var values: [NodeValue] { elements.withLock { $0.values } }

    func remove(at index: Int) {
        elements.withLock { elements in
            if elements.accepts(index, in: elements.values.indices) { elements.values.remove(at: index) }
        }
    }

    func replaceAll(with values: [NodeValue]) { elements.withLock { $0 = Elements(values: values) } }

    /// What was done to the other array is done to this one, too.
    func takeFault(of other: ArrayNode) {
        let fault = other.elements.withLock { $0.fault }
        elements.withLock { $0.fault = fault }
    }

    func array(collecting written: inout WrittenValues) -> [JSONValue] {
        written.depth += 1
        defer { written.depth -= 1 }
        let elements = elements.withLock { $0 }
        if let fault = elements.fault { written.faults.append(ValueFault(fault)) }
        return elements.values.enumerated().map { index, value in
            let before = written.faults.count
            let json = value.json(collecting: &written)
            for place in before..<written.faults.count { written.faults[place].lies(below: "[\(index)]") }
            return json
        }
    }
}

/// Where blobs of a document are read from: the database it was loaded from or saved to.
final class ValueOrigin: Sendable {
    private let source: Mutex<Database?>

    init(_ database: Database?) { source = Mutex(database) }

    var database: Database? {
        get { source.withLock { $0 } }
        set { source.withLock { $0 = newValue } }
    }
}

extension NodeValue {
    /// The same value with a container or a blob as an object.
    fileprivate func shared(_ origin: ValueOrigin) -> NodeValue {
        switch self {
        case .json(.object(let object)):
            guard let metadata = BlobMetadata(object) else {
                return .dictionary(DictionaryNode(object, origin: origin))
            }
            return .blob(Blob(metadata, object: object, origin: origin))
        case .json(.array(let elements)): return .array(ArrayNode(elements, origin: origin))
        case .json, .dictionary, .array, .blob, .unstorable: return self
        }
    }

    /// Whether the container is this one or inside it, at a depth that can be saved.
    fileprivate func reaches(_ container: AnyObject) -> Bool {
        var level = [self]
        var seen: Set<ObjectIdentifier> = []
        for _ in 0..<JSONLimits.depth where !level.isEmpty {
            var next: [NodeValue] = []
            for value in level {
                guard let node = value.container, seen.insert(ObjectIdentifier(node)).inserted else { continue }
                if node === container { return true }
                next += value.inside
            }
            level = next
        }
        return false
    }

    private var container: AnyObject? {
        switch self {
        case .dictionary(let node): node
        case .array(let node): node
        case .json, .blob, .unstorable: nil
        }
    }

    private var inside: [NodeValue] {
        switch self {
        case .dictionary(let node): node.values
        case .array(let node): node.values
        case .json, .blob, .unstorable: []
        }
    }

    /// Whether it may be written inside so many containers. What is a member of the document itself, as it was read, is
    /// not looked through.
    private func fits(_ depth: Int) -> Bool {
        switch self {
        case .json(let value): depth <= 1 || value.fits(into: JSONLimits.depth - depth)
        case .dictionary, .array: depth < JSONLimits.depth
        case .blob, .unstorable: true
        }
    }

    func json(collecting written: inout WrittenValues) -> JSONValue {
        guard fits(written.depth) else { return Self.tooDeep.json(collecting: &written) }
        switch self {
        case .json(let value): return value
        case .dictionary(let node): return .object(node.object(collecting: &written))
        case .array(let node): return .array(node.array(collecting: &written))
        case .blob(let blob):
            written.blobs.append(blob)
            return .object(blob.object)
        case .unstorable(let reason):
            written.faults.append(ValueFault(reason))
            return .null
        }
    }

    var json: JSONValue {
        var written = WrittenValues()
        return json(collecting: &written)
    }
}

extension JSONValue {
    /// Whether it has at most so many levels of containers.
    fileprivate func fits(into levels: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array(let elements): levels > 0 && elements.allSatisfy { $0.fits(into: levels - 1) }
        case .object(let object): levels > 0 && object.members.allSatisfy { $0.value.fits(into: levels - 1) }
        }
    }
}
