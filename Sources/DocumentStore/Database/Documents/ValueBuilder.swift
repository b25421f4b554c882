import DocumentValues
import Foundation

/// Makes values of a document from those that callers use, one container after the other, so that deep values take no
/// more stack. Values deeper than `JSONLimits.depth` are refused when the document is saved.
struct ValueBuilder {
    /// The limit of values: a few arrays that each hold the next one twice are very many.
    private let limit: Int
    private var count = 0
    private let origin: ValueOrigin
    /// Containers that are made and still empty.
    private var unfilled: [Unfilled] = []
    /// The containers around the present values, from the outermost on; `nil` for a container that is not an object.
    private var around: [AnyObject?] = []

    private struct Unfilled {
        let content: Content
        /// How many containers are around its values.
        let depth: Int
        /// The container of Foundation from which it is made.
        var object: AnyObject?
    }

    private enum Content {
        case members([(key: String, value: Any?)], of: DictionaryNode)
        case elements([Any?], of: ArrayNode)
        case memberCopies(DictionaryNode, of: DictionaryNode)
        case elementCopies(ArrayNode, of: ArrayNode)
    }

    /// - Parameter limit: how many values are made.
    init(origin: ValueOrigin, limit: Int = StoreLimits.documentBody / JSONValue.leastSize) {
        self.origin = origin
        self.limit = limit
    }

    mutating func node(_ value: Any?) -> NodeValue {
        defer { fill() }
        return shallow(value, depth: 1)
    }

    mutating func members(_ values: [String: Any?]) -> [(key: String, value: NodeValue)] {
        defer { fill() }
        return shallow(Array(values), depth: 1)
    }

    /// - Parameter copy: gets the members of `other`, with containers of its own.
    mutating func fill(_ copy: DictionaryNode, with other: DictionaryNode) {
        unfilled.append(Unfilled(content: .memberCopies(other, of: copy), depth: 1))
        fill()
    }

    mutating func fill(_ copy: ArrayNode, with other: ArrayNode) {
        unfilled.append(Unfilled(content: .elementCopies(other, of: copy), depth: 1))
        fill()
    }

    private mutating func fill() {
        while let next = unfilled.popLast() {
            enter(next)
            switch next.content {
            case .members(let values, let node): node.replaceAll(with: shallow(values, depth: next.depth))
            case .elements(let values, let node):
                node.replaceAll(with: values.map { shallow($0, depth: next.depth) })
            case .memberCopies(let other, let node):
                node.replaceAll(with: other.members.map { ($0.key, copy($0.value, depth: next.depth)) })
            case .elementCopies(let other, let node):
                let (elements, _) = other.elements
                node.replaceAll(with: elements.map { copy($0, depth: next.depth) })
                node.takeFault(of: other)
            }
        }
    }

    /// The container that was opened last is filled first, so the containers around it are a prefix of those before.
    private mutating func enter(_ next: Unfilled) {
        while !around.isEmpty, around.count > next.depth - 2 { around.removeLast() }
        around.append(next.object)
    }

    // MARK: - One level

    private mutating func shallow(
        _ values: [(key: String, value: Any?)], depth: Int
    ) -> [(key: String, value: NodeValue)] {
        // A Swift dictionary has no order of its own; sorted keys at least make equal documents equal bytes.
        values.sorted { $0.key.isExactlyBefore($1.key) }.map { ($0.key, shallow($0.value, depth: depth)) }
    }

    /// - Parameter depth: how many containers are around it.
    private mutating func shallow(_ value: Any?, depth: Int) -> NodeValue {
        count += 1
        guard count <= limit else { return .tooMuch }
        guard let value = Self.unwrapped(value) else { return .json(.null) }
        guard depth <= JSONLimits.depth else { return .tooDeep }
        if type(of: value) is AnyClass {
            if let node = object(value, depth: depth) { return node }
            if let node = foundation(value as AnyObject, depth: depth) { return node }
        }
        if let leaf = ValueConversion.leaf(value) { return leaf }
        switch value {
        case let value as [String: Any]: return dictionary(value, depth: depth)
        case let value as [String: Any?]: return dictionary(value, depth: depth)
        case let value as [Any]: return array(value, depth: depth)
        case let value as [Any?]: return array(value, depth: depth)
        default: break
        }
        return ValueConversion.object(value)
            ?? .unstorable("\(type(of: value)) is not a type that a document can hold")
    }

    /// `nil` for an instance of a class that is read as a value of Swift's, such as an `NSDate`.
    private mutating func object(_ value: Any, depth: Int) -> NodeValue? {
        switch value {
        case let value as Fragment: value.nodeValue ?? .json(.null)
        case let value as MutableDictionaryObject: .dictionary(value.node)
        case let value as DictionaryObject: copy(.dictionary(value.node), depth: depth)
        case let value as MutableArrayObject: .array(value.node)
        case let value as ArrayObject: copy(.array(value.node), depth: depth)
        default: ValueConversion.object(value)
        }
    }

    /// `nil` for an object that is no container of Foundation's.
    private mutating func foundation(_ value: AnyObject, depth: Int) -> NodeValue? {
        guard let container = FoundationContainer(value) else { return nil }
        guard !around.contains(where: { $0 === value }) else { return .containsItself }
        switch container {
        case .elements(let values): return array(values, depth: depth, object: value)
        case .members(let values): return dictionary(values, depth: depth, object: value)
        case .unstorable: return .unstorable("\(type(of: value)) is not a type that a document can hold")
        }
    }

    private mutating func dictionary(_ values: [String: Any?], depth: Int) -> NodeValue {
        dictionary(Array(values), depth: depth)
    }

    private mutating func dictionary(
        _ values: [(key: String, value: Any?)], depth: Int, object: AnyObject? = nil
    ) -> NodeValue {
        let node = DictionaryNode(origin: origin)
        unfilled.append(Unfilled(content: .members(values, of: node), depth: depth + 1, object: object))
        return .dictionary(node)
    }

    private mutating func array(_ values: [Any?], depth: Int, object: AnyObject? = nil) -> NodeValue {
        let node = ArrayNode(origin: origin)
        unfilled.append(Unfilled(content: .elements(values, of: node), depth: depth + 1, object: object))
        return .array(node)
    }

    private mutating func copy(_ value: NodeValue, depth: Int) -> NodeValue {
        count += 1
        guard count <= limit else { return .tooMuch }
        guard depth <= JSONLimits.depth else { return .tooDeep }
        switch value {
        case .json, .blob, .unstorable: return value
        case .dictionary(let other):
            let node = DictionaryNode(origin: origin)
            unfilled.append(Unfilled(content: .memberCopies(other, of: node), depth: depth + 1))
            return .dictionary(node)
        case .array(let other):
            let node = ArrayNode(origin: origin)
            unfilled.append(Unfilled(content: .elementCopies(other, of: node), depth: depth + 1))
            return .array(node)
        }
    }

    /// An optional inside an `Any` is unwrapped.
    private static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return unwrapped(mirror.children.first?.value)
    }
}

extension DictionaryNode {
    convenience init(_ other: DictionaryNode, copiedFor origin: ValueOrigin) {
        if let text = other.text {
            self.init(text, origin: origin)
            return
        }
        self.init(origin: origin)
        var builder = ValueBuilder(origin: origin)
        builder.fill(self, with: other)
    }
}

extension ArrayNode {
    convenience init(_ other: ArrayNode, copiedFor origin: ValueOrigin) {
        self.init(origin: origin)
        var builder = ValueBuilder(origin: origin)
        builder.fill(self, with: other)
    }
}
