import DocumentValues
import Synchronization

/// A value in a document's tree. Containers become nodes of their own when somebody asks for them, so that all who hold
/// one see the same edits; until then they stay JSON.
enum NodeValue: Sendable {
    case json(JSONValue)
    case dictionary(DictionaryNode)
    case array(ArrayNode)
    case blob(Blob)
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

    /// The tree as JSON; blobs that are not stored yet are added to `blobs`.
    func object(collecting blobs: inout [Blob]) -> JSONObject {
        let members = members.withLock { members in members.keys.map { ($0, members.values[Name($0)]!) } }
        return JSONObject(
            members: members.map { JSONObject.Member(key: $0.0, value: $0.1.json(collecting: &blobs)) })
    }
}

/// The elements of an array under a lock.
final class ArrayNode: Sendable {
    private let elements: Mutex<[NodeValue]>
    let origin: ValueOrigin

    init(_ elements: [JSONValue] = [], origin: ValueOrigin) {
        self.origin = origin
        self.elements = Mutex(elements.map(NodeValue.json))
    }

    var count: Int { elements.withLock { $0.count } }

    subscript(index: Int) -> NodeValue? {
        elements.withLock { elements in
            guard elements.indices.contains(index) else { return nil }
            let shared = elements[index].shared(origin)
            elements[index] = shared
            return shared
        }
    }

    func set(_ value: NodeValue, at index: Int) {
        elements.withLock { elements in
            precondition(elements.indices.contains(index), "index \(index) is outside the array")
            elements[index] = value
        }
    }

    func insert(_ value: NodeValue, at index: Int) {
        elements.withLock { elements in
            precondition((0...elements.count).contains(index), "index \(index) is outside the array")
            elements.insert(value, at: index)
        }
    }

    func append(_ value: NodeValue) { elements.withLock { $0.append(value) } }

    func remove(at index: Int) {
        elements.withLock { elements in
            precondition(elements.indices.contains(index), "index \(index) is outside the array")
            elements.remove(at: index)
        }
    }

    func replaceAll(with values: [NodeValue]) { elements.withLock { $0 = values } }

    func array(collecting blobs: inout [Blob]) -> [JSONValue] {
        elements.withLock { $0 }.map { $0.json(collecting: &blobs) }
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
        case .json, .dictionary, .array, .blob: return self
        }
    }

    func json(collecting blobs: inout [Blob]) -> JSONValue {
        switch self {
        case .json(let value): return value
        case .dictionary(let node): return .object(node.object(collecting: &blobs))
        case .array(let node): return .array(node.array(collecting: &blobs))
        case .blob(let blob):
            blobs.append(blob)
            return .object(blob.object)
        }
    }

    var json: JSONValue {
        var blobs: [Blob] = []
        return json(collecting: &blobs)
    }
}
