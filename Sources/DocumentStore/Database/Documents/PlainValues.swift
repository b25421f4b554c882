import DocumentValues
import Foundation

/// Makes Swift's own values from those of a document, one container after the other, so that deep values take no more
/// stack. Values that are too deep to be saved become null.
struct PlainValues {
    private var open: [OpenContainer] = []

    private struct OpenContainer {
        /// Of a dictionary.
        let keys: [String]?
        let values: [NodeValue]
        var made: [Any] = []

        var next: NodeValue? { made.count < values.count ? values[made.count] : nil }

        var plain: Any {
            guard let keys else { return made }
            return Dictionary(zip(keys, made).map { ($0, $1) }, uniquingKeysWith: { $1 })
        }
    }

    /// Containers as `[String: Any]` and `[Any]`, null as `NSNull`, blobs as `Blob`.
    mutating func make(_ root: NodeValue) -> Any {
        if let leaf = enter(root) { return leaf }
        while true {
            let last = open.count - 1
            if let next = open[last].next {
                if let leaf = enter(next) { open[last].made.append(leaf) }
            } else {
                let plain = open.removeLast().plain
                if open.isEmpty { return plain }
                open[last - 1].made.append(plain)
            }
        }
    }

    /// - Returns: `nil` for a container, which is open from now on.
    private mutating func enter(_ value: NodeValue) -> Any? {
        guard open.count < JSONLimits.depth else { return Self.leafOrNull(value) }
        switch value {
        case .dictionary(let node):
            let members = node.keys.compactMap { key in node[key].map { (key, $0) } }
            open.append(OpenContainer(keys: members.map(\.0), values: members.map(\.1)))
        case .array(let node):
            open.append(OpenContainer(keys: nil, values: (0..<node.count).compactMap { node[$0] }))
        case .json(.object(let object)):
            open.append(OpenContainer(keys: object.keys, values: object.members.map { .json($0.value) }))
        case .json(.array(let elements)):
            open.append(OpenContainer(keys: nil, values: elements.map { .json($0) }))
        case .json, .blob, .unstorable: return Self.leafOrNull(value)
        }
        return nil
    }

    private static func leafOrNull(_ value: NodeValue) -> Any {
        switch value {
        case .blob(let blob): blob
        case .json(.bool(let value)): value
        case .json(.string(let value)): value
        case .json(.number(let number)): plain(number)
        case .json(.null), .json(.array), .json(.object), .dictionary, .array, .unstorable: NSNull()
        }
    }

    /// With the type that was stored: a `Double` can be cast to one again.
    private static func plain(_ number: JSONNumber) -> Any {
        guard number.isWhole else { return number.double }
        if let value = number.int64 { return Int(value) }
        if let value = number.uint64 { return value }
        return number.double
    }
}
