import DocumentValues
import FormLogic

/// The tables of a form: one for its records, and one for each repeat whatever its depth.
struct ExportLayout {
    /// A question, by the names of the groups below its table's row.
    struct Leaf {
        let path: [Name]
        /// Of the groups and of the question.
        let labels: [FormText?]
        let node: FormNode
        let type: QuestionType
        /// The name of its table, and its path.
        let key: [Name]
    }

    struct Table {
        /// Of its file, without an ending.
        let name: String
        /// From the row of the table around it; empty for the records.
        let path: [Name]
        /// The table around it.
        let parent: Int?
        var leaves: [Leaf] = []
    }

    private(set) var tables: [Table]
    /// Whether the form has a log of its filling.
    private(set) var hasAudit = false

    init(_ nodes: [FormNode], form: Name, keepsNotes: Bool) {
        tables = [Table(name: form.text, path: [], parent: nil)]
        var counts: [Name: Int] = [:]
        Self.count(nodes, in: &counts)
        var numbers: [Name: Int] = [:]
        add(nodes, path: [], labels: [], to: 0) { repeated in
            guard counts[repeated, default: 0] > 1 else { return "\(form.text)-\(repeated.text)" }
            numbers[repeated, default: 0] += 1
            return "\(form.text)-\(repeated.text)~\(numbers[repeated, default: 1])"
        }
        if !keepsNotes {
            for index in tables.indices { tables[index].leaves.removeAll { $0.type == .plain(.note) } }
        }
    }

    private static func count(_ nodes: [FormNode], in counts: inout [Name: Int]) {
        for node in nodes {
            if node.isRepeat { counts[node.name, default: 0] += 1 }
            count(node.nodes, in: &counts)
        }
    }

    private mutating func add(
        _ nodes: [FormNode], path: [Name], labels: [FormText?], to table: Int, naming: (Name) -> String
    ) {
        for node in nodes {
            let (path, labels) = (path + [node.name], labels + [node.label])
            switch node.kind {
            case .question(.plain(.audit)): hasAudit = true
            case .question(.plain(let type)) where type.isDeclaration: break
            case .question(let type):
                tables[table].leaves.append(
                    Leaf(path: path, labels: labels, node: node, type: type, key: [Name(tables[table].name)] + path))
            case .group: add(node.nodes, path: path, labels: labels, to: table, naming: naming)
            case .repeat:
                tables.append(Table(name: naming(node.name), path: path, parent: table))
                add(node.nodes, path: [], labels: [], to: tables.count - 1, naming: naming)
            }
        }
    }

    /// The questions of two versions: those that are gone in the newer one are behind the one that they followed.
    static func union(_ newer: [FormNode], with older: [FormNode]) -> [FormNode] {
        var merged = newer
        for (index, node) in older.enumerated() {
            if let present = merged.firstIndex(where: { $0.name == node.name && $0.isContainer == node.isContainer }) {
                merged[present].nodes = union(merged[present].nodes, with: node.nodes)
            } else if !merged.contains(where: { $0.name == node.name }) {
                let before = older[..<index].reversed().lazy.compactMap { former in
                    merged.firstIndex { $0.name == former.name }
                }.first
                merged.insert(node, at: before.map { $0 + 1 } ?? 0)
            }
        }
        return merged
    }
}

extension FormNode {
    fileprivate var isContainer: Bool { type == nil }
}
