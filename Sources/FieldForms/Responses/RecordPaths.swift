import DocumentValues
import FormLogic

/// The paths of a record's nodes as texts.
extension Record {
    /// `/data/point[k3m9x2pq]/about/depth`: instances by their keys, which stay when others come or go.
    package func keyedPath(of id: ID) -> String {
        "/" + ancestry(of: id).map { step($0) { self[$0].key?.text ?? "" } }.joined(separator: "/")
    }

    /// `point[2]/about/depth`: without the root, instances by their positions.
    package func numberedPath(of id: ID) -> String {
        ancestry(of: id).dropFirst().map { step($0) { String(self[$0].position) } }.joined(separator: "/")
    }

    private func step(_ id: ID, mark: (ID) -> String) -> String {
        let entry = outline[self[id].formNode]
        return entry.isRepeat ? "\(entry.node.name.text)[\(mark(id))]" : entry.node.name.text
    }

    /// All nodes in document order.
    package var allNodes: [ID] {
        var (found, open): ([ID], [ID]) = ([], [Self.root])
        while let id = open.popLast() {
            found.append(id)
            open += children(of: id).reversed()
        }
        return found
    }

    /// The nodes of keyed paths; those that are gone are left out.
    package func nodes(atKeyedPaths paths: some Sequence<String>) -> [Name: ID] {
        let wanted = Set(paths.map { Name($0) })
        guard !wanted.isEmpty else { return [:] }
        var found: [Name: ID] = [:]
        for id in allNodes {
            let path = Name(keyedPath(of: id))
            if wanted.contains(path) { found[path] = id }
        }
        return found
    }
}
