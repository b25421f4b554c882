import DocumentValues

/// Writes a tree of values as JSON, one container after the other, so that a deep tree takes no more stack.
struct ValueWriter {
    /// Those that are not stored yet among them.
    private(set) var blobs: [Blob] = []
    private(set) var faults: [ValueFault] = []
    private var open: [OpenContainer] = []
    private let limit: Int
    /// A lower bound of the bytes that were written.
    private var size = 0

    /// - Parameter limit: writing ends after more bytes than that. A few containers that each hold the next one twice
    ///   are very many values.
    init(limit: Int = .max) { self.limit = limit }

    /// Not all was written.
    var isTooLarge: Bool { size > limit }

    /// A container of which some values are written.
    private struct OpenContainer {
        /// Of a dictionary.
        let keys: [String]?
        let values: [NodeValue]
        var written: [JSONValue] = []

        init(keys: [String]? = nil, _ values: [NodeValue]) {
            self.keys = keys
            self.values = values
        }

        var next: NodeValue? { written.count < values.count ? values[written.count] : nil }

        /// Where the next value is.
        var step: String { keys.map { $0[written.count] } ?? "[\(written.count)]" }

        var json: JSONValue {
            guard let keys else { return .array(written) }
            return .object(
                JSONObject(members: zip(keys, written).map { JSONObject.Member(key: $0, value: $1) }))
        }
    }

    /// A value that cannot be written becomes null.
    mutating func write(_ root: NodeValue) -> JSONValue {
        if let leaf = enter(root) { return leaf }
        while !isTooLarge {
            let last = open.count - 1
            if let next = open[last].next {
                if let leaf = enter(next) { open[last].written.append(leaf) }
            } else {
                let json = open.removeLast().json
                if open.isEmpty { return json }
                open[last - 1].written.append(json)
            }
        }
        return .null
    }

    mutating func write(_ node: DictionaryNode) -> JSONObject { write(.dictionary(node)).objectValue ?? [:] }

    /// - Returns: `nil` for a container, which is open from now on.
    private mutating func enter(_ value: NodeValue) -> JSONValue? {
        guard value.fits(open.count) else { return note(NodeValue.tooDeepReason) }
        size += value.size(inside: open.count, upTo: limit - size)
        switch value {
        case .json(let value): return value
        case .blob(let blob):
            blobs.append(blob)
            return .object(blob.object)
        case .unstorable(let reason): return note(reason)
        case .dictionary(let node):
            let members = node.members
            size += members.reduce(0) { $0 + $1.key.utf8.count }
            open.append(OpenContainer(keys: members.map(\.key), members.map(\.value)))
        case .array(let node):
            let (elements, fault) = node.elements
            if let fault { _ = note(fault) }
            open.append(OpenContainer(elements))
        }
        return nil
    }

    private mutating func note(_ reason: String) -> JSONValue {
        faults.append(ValueFault(reason, steps: open.map(\.step)))
        return .null
    }
}

/// A value that cannot be saved.
struct ValueFault: Sendable, Hashable {
    let reason: String
    /// `readings[3].unit`; of a value far down its first steps.
    let path: String
    /// A longer path would not help a reader.
    private static let shownSteps = 32

    /// - Parameter steps: from the document's own member to the value: keys, and indexes in brackets.
    fileprivate init(_ reason: String, steps: [String]) {
        self.reason = reason
        let shown = steps.prefix(Self.shownSteps).reduce(into: "") { path, step in
            path += path.isEmpty || step.hasPrefix("[") ? step : ".\(step)"
        }
        path = steps.count > Self.shownSteps ? shown + "…" : shown
    }
}

extension NodeValue {
    var json: JSONValue {
        var writer = ValueWriter()
        return writer.write(self)
    }

    /// Whether it may be written inside so many containers. JSON that is a direct member of the document, unchanged
    /// since it was read, is not checked again.
    fileprivate func fits(_ depth: Int) -> Bool {
        switch self {
        case .json(let value): depth <= 1 || value.fits(into: JSONLimits.depth - depth)
        case .dictionary, .array: depth < JSONLimits.depth
        case .blob, .unstorable: true
        }
    }

    /// A lower bound of its bytes of JSON, without the content of nodes. JSON that is a direct member of the document,
    /// unchanged since it was read, is there only once, and is not counted.
    fileprivate func size(inside depth: Int, upTo limit: Int) -> Int {
        switch self {
        case .json(let value): depth <= 1 ? JSONValue.leastSize : value.size(upTo: limit)
        case .dictionary, .array, .blob, .unstorable: JSONValue.leastSize
        }
    }
}

extension JSONValue {
    /// A value has a byte, and another one that separates it from the next or ends it.
    static let leastSize = 2

    /// A lower bound of its bytes of JSON; counting ends at `limit`.
    fileprivate func size(upTo limit: Int) -> Int {
        var size = 0
        var rest = [self]
        while size <= limit, let value = rest.popLast() {
            size += Self.leastSize
            switch value {
            case .null, .bool, .number: continue
            case .string(let text): size += text.utf8.count
            case .array(let elements): rest += elements
            case .object(let object):
                size += object.members.reduce(0) { $0 + $1.key.utf8.count }
                rest += object.members.lazy.map(\.value)
            }
        }
        return size
    }

    /// Whether it has at most so many levels of containers.
    func fits(into levels: Int) -> Bool {
        var rest: [(value: JSONValue, levels: Int)] = [(self, levels)]
        while let (value, levels) = rest.popLast() {
            switch value {
            case .null, .bool, .number, .string: continue
            case .array(let elements):
                guard levels > 0 else { return false }
                rest += elements.lazy.filter(\.isContainer).map { ($0, levels - 1) }
            case .object(let object):
                guard levels > 0 else { return false }
                rest += object.members.lazy.map(\.value).filter(\.isContainer).map { ($0, levels - 1) }
            }
        }
        return true
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }
}
