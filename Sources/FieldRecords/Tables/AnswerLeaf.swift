import DocumentValues

/// A single answer of a filled form, somewhere in its groups and repeats.
public struct AnswerLeaf: Sendable, Hashable {
    /// With the keys of instances, which stay when others come or go: `point[k3m9x2pq]/about/depth`.
    @Exact public private(set) var key: String
    /// With the positions of instances: `point[2]/about/depth`.
    @Exact public private(set) var path: String
    public let value: JSONValue

    public init(key: String, path: String, value: JSONValue) {
        self.value = value
        self.key = key
        self.path = path
    }

    /// The answers in a record or a part of it, in their order.
    ///
    /// - Parameter path: of the part.
    public static func all(in value: JSONValue?, at path: String = "") -> [AnswerLeaf] {
        guard let value else { return [] }
        var leaves: [AnswerLeaf] = []
        var open = [AnswerLeaf(key: path, path: path, value: value)]
        while let next = open.popLast() {
            if let parts = next.parts { open += parts.reversed() } else { leaves.append(next) }
        }
        return leaves
    }

    /// Those of a group or of a repeat's instances; `nil` for an answer.
    private var parts: [AnswerLeaf]? {
        switch value {
        case .object(let object):
            if object["latitude"] != nil || object["blob"] != nil { return nil }
            return object.members.filter { !$0.key.hasExactPrefix("@") }.map { member in
                let separator = path.isEmpty ? "" : "/"
                return AnswerLeaf(
                    key: key + separator + member.key, path: path + separator + member.key, value: member.value)
            }
        case .array(let elements):
            let objects = elements.compactMap(\.objectValue)
            if objects.isEmpty || objects.contains(where: { $0["latitude"] != nil }) { return nil }
            return objects.enumerated().map { index, object in
                let name = object["@key"]?.stringValue ?? String(index + 1)
                return AnswerLeaf(key: "\(key)[\(name)]", path: "\(path)[\(index + 1)]", value: .object(object))
            }
        case .null, .bool, .number, .string: return nil
        }
    }

    /// For people: a file by its name, a place by its degrees, several choices beside each other.
    public var text: String { Self.text(value) }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            if let name = object["name"]?.stringValue { return name }
            return ["latitude", "longitude"].compactMap { object[$0]?.cell }.joined(separator: " ")
        case .array(let elements): return elements.map(text).joined(separator: " ")
        case .null, .bool, .number, .string: return value.cell ?? ""
        }
    }
}
