import DocumentValues
import Synchronization

/// A value in a document's tree. A container becomes a node of its own when it is requested, so that all holders of it
/// see the same edits; until then it stays JSON.
enum NodeValue: Sendable {
    case json(JSONValue)
    case dictionary(DictionaryNode)
    case array(ArrayNode)
    case blob(Blob)
    /// A value that no document can hold, and the reason, which the error of the save names.
    case unstorable(String)
}

extension NodeValue {
    /// A value deeper than the parser's limit could be saved, but never be read again.
    static let tooDeep = NodeValue.unstorable(tooDeepReason)
    static let tooDeepReason = "it is nested more than \(JSONLimits.depth) levels deep"
    static let tooMuch = NodeValue.unstorable("more came before it than a document can hold")
    static let containsItself = NodeValue.unstorable("it contains itself")
}

/// The members of a dictionary under a lock. `Document`, `DictionaryObject` and their mutable forms are views of it.
final class DictionaryNode: Sendable {
    private let state: Mutex<DictionaryContent>
    fileprivate let isInside = Atomic(false)
    let origin: ValueOrigin

    init(_ object: JSONObject = JSONObject(), origin: ValueOrigin) {
        self.origin = origin
        state = Mutex(DictionaryContent(object))
    }

    init(_ text: ObjectText, origin: ValueOrigin) {
        self.origin = origin
        state = Mutex(.text(text))
    }

    /// The JSON from which it was made, if no member has been taken out of it.
    var text: ObjectText? { state.withLock { $0.text } }

    var keys: [String] { state.withLock { $0.keys } }

    /// The value, a container or a blob as an object that is shared from now on.
    subscript(key: String) -> NodeValue? {
        state.withLock { content in
            guard let value = content.value(forKey: key) else { return nil }
            guard value.becomesShared else { return value }
            let shared = value.shared(origin)
            shared.noteInside()
            content.set(shared, forKey: key)
            return shared
        }
    }

    func set(_ value: NodeValue, forKey key: String) {
        let value = value.put(into: self, isInside: isInside)
        state.withLock { $0.set(value, forKey: key) }
    }

    func remove(_ key: String) { state.withLock { $0.remove(key) } }

    func replaceAll(with values: [(key: String, value: NodeValue)]) {
        for (_, value) in values { value.noteInside() }
        state.withLock { $0 = .members(OrderedMembers(values)) }
    }

    func replaceAll(with object: JSONObject) { state.withLock { $0 = DictionaryContent(object) } }

    func replaceAll(with text: ObjectText) { state.withLock { $0 = .text(text) } }

    /// In their order.
    var members: [(key: String, value: NodeValue)] { state.withLock { $0.members }.all }

    fileprivate var values: [NodeValue] { members.map(\.value) }

    // Released one after the other: a deep chain of containers would otherwise need a nested call for each.
    deinit {
        var containers = takeContainers()
        NodeValue.release(&containers)
    }

    fileprivate func takeContainers() -> [NodeValue] {
        state.withLock { content in
            let containers = content.containers
            if !containers.isEmpty { content = .members(OrderedMembers()) }
            return containers
        }
    }
}

/// The elements of an array under a lock.
final class ArrayNode: Sendable {
    private struct Elements {
        var values: [NodeValue]
        /// The first edit at an index that the array did not have. It changed nothing; the save reports it.
        var fault: String?

        /// Whether an edit can be made there; the first that cannot is remembered.
        mutating func accepts(_ index: Int, in range: Range<Int>) -> Bool {
            if range.contains(index) { return true }
            if fault == nil { fault = "index \(index) was outside the array, which had \(values.count) elements" }
            return false
        }
    }

    private let state: Mutex<Elements>
    fileprivate let isInside = Atomic(false)
    let origin: ValueOrigin

    init(_ elements: [JSONValue] = [], origin: ValueOrigin) {
        self.origin = origin
        state = Mutex(Elements(values: elements.map(NodeValue.json)))
    }

    var count: Int { state.withLock { $0.values.count } }

    subscript(index: Int) -> NodeValue? {
        state.withLock { elements in
            guard elements.values.indices.contains(index) else { return nil }
            let shared = elements.values[index].shared(origin)
            shared.noteInside()
            elements.values[index] = shared
            return shared
        }
    }

    func set(_ value: NodeValue, at index: Int) {
        let value = value.put(into: self, isInside: isInside)
        state.withLock { elements in
            if elements.accepts(index, in: elements.values.indices) { elements.values[index] = value }
        }
    }

    func insert(_ value: NodeValue, at index: Int) {
        let value = value.put(into: self, isInside: isInside)
        state.withLock { elements in
            if elements.accepts(index, in: 0..<elements.values.count + 1) { elements.values.insert(value, at: index) }
        }
    }

    func append(_ value: NodeValue) {
        let value = value.put(into: self, isInside: isInside)
        state.withLock { $0.values.append(value) }
    }

    fileprivate var values: [NodeValue] { state.withLock { $0.values } }

    func remove(at index: Int) {
        state.withLock { elements in
            if elements.accepts(index, in: elements.values.indices) { elements.values.remove(at: index) }
        }
    }

    func replaceAll(with values: [NodeValue]) {
        for value in values { value.noteInside() }
        state.withLock { $0 = Elements(values: values) }
    }

    /// The fault of the other array becomes a fault of this one, too.
    func takeFault(of other: ArrayNode) {
        let fault = other.state.withLock { $0.fault }
        state.withLock { $0.fault = fault }
    }

    /// With the first edit that could not be made.
    var elements: (values: [NodeValue], fault: String?) { state.withLock { ($0.values, $0.fault) } }

    deinit {
        var containers = takeContainers()
        NodeValue.release(&containers)
    }

    fileprivate func takeContainers() -> [NodeValue] {
        state.withLock { elements in
            let containers = elements.values.filter { $0.container != nil }
            if !containers.isEmpty { elements = Elements(values: []) }
            return containers
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
    func shared(_ origin: ValueOrigin) -> NodeValue {
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

    /// Whether it is a container or a blob that is no object yet.
    fileprivate var becomesShared: Bool {
        switch self {
        case .json(.object), .json(.array): true
        case .json, .dictionary, .array, .blob, .unstorable: false
        }
    }

    /// The value that a container keeps when this one is put into it.
    ///
    /// A cycle can only arise with a container that is, or was, inside another one: only for such a container is the value
    /// searched.
    fileprivate func put(into container: AnyObject, isInside: borrowing Atomic<Bool>) -> NodeValue {
        // Noted before the search, so that a thread that puts the container into this value from now on searches, too. Two
        // threads that put two containers into each other at the same time may both miss the cycle: such a document cannot
        // be saved.
        noteInside()
        guard isInside.load(ordering: .sequentiallyConsistent), reaches(container) else { return self }
        return .containsItself
    }

    fileprivate func noteInside() {
        switch self {
        case .dictionary(let node): node.isInside.store(true, ordering: .sequentiallyConsistent)
        case .array(let node): node.isInside.store(true, ordering: .sequentiallyConsistent)
        case .json, .blob, .unstorable: break
        }
    }

    /// Whether the container is this one or inside it, at a depth that can be saved.
    private func reaches(_ container: AnyObject) -> Bool {
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

    var container: AnyObject? {
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

    /// Releases containers, and the containers inside that have no other reference, one after the other.
    ///
    /// - Parameter containers: the only references to them; empty afterwards.
    fileprivate static func release(_ containers: inout [NodeValue]) {
        while !containers.isEmpty {
            var container = containers.removeLast().container
            guard isKnownUniquelyReferenced(&container) else { continue }
            switch container {
            case let node as DictionaryNode: containers += node.takeContainers()
            case let node as ArrayNode: containers += node.takeContainers()
            default: break
            }
        }
    }
}
