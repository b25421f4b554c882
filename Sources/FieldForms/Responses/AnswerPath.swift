import DocumentValues
import FormLogic

/// A node of a record as a script names it: `depth`, `about/depth`, `point[2]/about/depth`, `/data/point[k3m9x2pq]/works`.
struct AnswerPath {
    private struct Step {
        let name: String
        /// A position from 1, or a key.
        let instance: String?
    }

    private let steps: [Step]

    /// `nil` for a text that is no path.
    init?(_ text: String, root: Name) {
        var parts = text.split(atByte: "/").map(String.init)
        if text.utf8.first == UInt8(ascii: "/"), parts.first?.isExactly(root.text) == true { parts.removeFirst() }
        var steps: [Step] = []
        for part in parts {
            let pieces = part.split(atByte: "[", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = pieces.first, !name.isEmpty else { return nil }
            guard pieces.count == 2 else {
                steps.append(Step(name: name, instance: nil))
                continue
            }
            guard pieces[1].utf8.last == UInt8(ascii: "]") else { return nil }
            steps.append(Step(name: name, instance: String(decoding: pieces[1].utf8.dropLast(), as: UTF8.self)))
        }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
    }

    /// Why a path names no node.
    enum Fault {
        case unknown(String)
        /// A repeat with several instances, of which none was named.
        case ambiguous(repeated: String, count: Int)
        case noInstance(repeated: String, instance: String, count: Int)
    }

    /// - Parameter current: an instance that is meant where none is named, such as the one that was just added.
    func resolve(in record: Record, current: Record.ID?) -> Result<Record.ID, FaultError> {
        let outline = record.outline
        var path: [(formNode: FormOutline.ID, instance: String?)] = []
        for step in steps {
            let name = Name(step.name)
            guard let last = path.last?.formNode else {
                guard let first = outline.child(of: FormOutline.root, named: name) ?? Self.only(name, in: outline)
                else {
                    return .failure(FaultError(.unknown(step.name)))
                }
                let around = outline.ancestry(of: first).dropFirst().dropLast().map { ($0, String?.none) }
                path = around + [(first, step.instance)]
                continue
            }
            guard let child = outline.child(of: last, named: name) else {
                return .failure(FaultError(.unknown(step.name)))
            }
            path.append((child, step.instance))
        }
        return walk(path, in: record, current: current)
    }

    private static func only(_ name: Name, in outline: FormOutline) -> FormOutline.ID? {
        let found = outline.nodes(named: name)
        return found.count == 1 ? found[0] : nil
    }

    private func walk(
        _ path: [(formNode: FormOutline.ID, instance: String?)], in record: Record, current: Record.ID?
    ) -> Result<Record.ID, FaultError> {
        let around = Set(current.map { record.ancestry(of: $0) } ?? [])
        var node = Record.root
        for (formNode, instance) in path {
            let found = record.children(of: node, formNode: formNode)
            let name = record.outline[formNode].node.name.text
            if let instance {
                let position = Int(instance)
                let named = found.first { record[$0].key == Name(instance) || record[$0].position == position }
                guard let named else {
                    return .failure(FaultError(.noInstance(repeated: name, instance: instance, count: found.count)))
                }
                node = named
            } else if let next = found.first(where: around.contains) ?? (found.count == 1 ? found[0] : nil) {
                node = next
            } else {
                return .failure(FaultError(.ambiguous(repeated: name, count: found.count)))
            }
        }
        return .success(node)
    }

    struct FaultError: Error {
        let fault: Fault

        init(_ fault: Fault) { self.fault = fault }

        var message: String {
            switch fault {
            case .unknown(let name): "the form has no question '\(name.printableLine)' there"
            case .ambiguous(let name, let count):
                count == 0
                    ? "there is no instance of \(name) yet; add one: --add \(name)"
                    : "there are \(count) instances of \(name): name one, such as \(name)[1]"
            case .noInstance(let name, let instance, let count):
                "there is no instance \(name)[\(instance.printableLine)], but \(count)"
            }
        }
    }
}
