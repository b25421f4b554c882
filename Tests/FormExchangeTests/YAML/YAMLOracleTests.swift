import DocumentValues
import SeededRandom
import Testing
import Yams

@testable import FormExchange

/// Compares our reading of YAML with that of Yams: what is read here without a fault, Yams reads to the same values.
@Suite struct YAMLOracleTests {
    @Test func randomTextsAreReadAlike() {
        for seed in 0..<UInt64(20_000) {
            var random = RandomYAML(seed: seed)
            let text = random.text()
            let (node, faults) = YAMLParser.parse(text)
            guard faults.isEmpty, let node, !node.hasRepeatedKey else { continue }
            let other = try? Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
            // It also refuses tabs in lines that are empty but for them.
            if other == nil, text.utf8.contains(UInt8(ascii: "\t")) { continue }
            #expect(node.description == other?.text, "seed \(seed): \(text.debugDescription)")
        }
    }

    /// What a writer makes is read, and to the same value.
    @Test func whatYamsWritesIsRead() throws {
        for seed in 0..<UInt64(3_000) {
            var random = RandomYAML(seed: seed)
            let value = random.value(depth: 0)
            let text = try serialize(node: value, width: 60, allowUnicode: true)
            // An empty text without anything around it is an empty file.
            if value.scalar?.string.isEmpty == true { continue }
            let (node, faults) = YAMLParser.parse(text)
            #expect(faults.isEmpty, "seed \(seed): \(faults) in \(text.debugDescription)")
            #expect(node?.description == value.text, "seed \(seed): \(text.debugDescription)")
        }
    }
}

/// Texts out of what is special in YAML, and values to write.
private struct RandomYAML {
    private var random: SimulationRandom

    init(seed: UInt64) { random = SimulationRandom(seed: seed) }

    private static let pieces = [
        "a", "b", "c d", "ü", "1", ":", ": ", "- ", "-", "\n", "\n  ", "\n ", "\n    ", "\n\n", " ", "  ", "{", "}",
        "[", "]",
        ", ", ",", "'", "\"", "''", "\\", "\\n", "#", " #", "|", ">", "|\n  ", ">-\n   ", "|+\n  ", "\t", "?", "? ",
        "a: ",
        "b: ", "- a", "\n- ", "\n  - ", "---", "...", "x: y\n", "~", "=", "@", "%", ".", "key: |\n  text\n  more\n",
        "k: 'q'\n", "k: \"q\"\n", "l: [a, b]\n", "m: {a: b}\n",
    ]

    mutating func text() -> String {
        (0..<Int.random(in: 1...14, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    mutating func value(depth: Int) -> Node {
        switch Int.random(in: 0..<(depth > 3 ? 2 : 6), using: &random) {
        case 0..<2: return Node(scalar(), .implicit, style())
        case 2, 3:
            let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1) }
            return Node(items, .implicit, Bool.random(using: &random) ? .block : .flow)
        default:
            let pairs = (0..<Int.random(in: 0...3, using: &random)).map { index in
                (Node("k\(index)"), value(depth: depth + 1))
            }
            return Node(pairs, .implicit, Bool.random(using: &random) ? .block : .flow)
        }
    }

    private mutating func style() -> Node.Scalar.Style {
        [.any, .plain, .singleQuoted, .doubleQuoted, .literal, .folded].randomElement(using: &random) ?? .any
    }

    private mutating func scalar() -> String {
        let parts = [
            "a", "b c", " ", "\n", ": ", "#", "é", "'", "\"", "- ", "yes", "{", ",", "\\", "wide text goes on ", "\n\n",
        ]
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
            .joined()
    }
}

extension YAMLNode {
    /// Yams refuses these, and our parser leaves them to those who know the map.
    fileprivate var hasRepeatedKey: Bool {
        switch content {
        case .text: false
        case .list(let items): items.contains(where: \.hasRepeatedKey)
        case .map(let entries):
            Set(entries.map(\.key.name)).count < entries.count || entries.contains(where: \.value.hasRepeatedKey)
        }
    }
}

extension Node {
    fileprivate var text: String {
        switch self {
        case .scalar(let scalar): JSONValue.string(scalar.string).description
        case .sequence(let items): "[" + items.map(\.text).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key.string ?? "?"): \($0.value.text)" }.joined(separator: ", ") + "}"
        case .alias: "alias"
        }
    }
}
