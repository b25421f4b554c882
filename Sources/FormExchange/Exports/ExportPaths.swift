import DocumentValues
import FormLogic

/// Where the nodes of a form are in its XForm, and the paths that references to them become.
struct ExportPaths {
    private let root: Name
    /// Nodes by their names; `nil` for a name of several.
    private var byName: [Name: XFormPath?] = [:]
    private var repeats: Set<XFormPath> = []

    init(_ form: Form) {
        root = form.root
        let top = XFormPath([root])
        add(form.nodes, below: top)
        for name in ["instanceID", "instanceName"] {
            let path = top.appending("meta").appending(Name(name))
            if byName[path.last] == nil { byName[path.last] = .some(path) }
        }
    }

    private mutating func add(_ nodes: [FormNode], below parent: XFormPath) {
        for node in nodes {
            let isLog = node.type == .plain(.audit)
            let path = (isLog ? XFormPath([root, "meta"]) : parent).appending(node.name)
            if byName.updateValue(path, forKey: node.name) != nil { byName.updateValue(nil, forKey: node.name) }
            if node.isRepeat { repeats.insert(path) }
            add(node.nodes, below: path)
        }
    }

    func path(_ name: Name) -> XFormPath? { byName[name] ?? nil }

    func isRepeat(_ path: XFormPath) -> Bool { repeats.contains(path) }

    /// The text that stands for `${name}` in an expression of `context`.
    ///
    /// - Parameter isInPredicate: a relative path begins at the node that the expression belongs to.
    func reference(_ name: Name, context: XFormPath, isAbsolute: Bool, isInPredicate: Bool) -> String? {
        guard let target = path(name) else { return nil }
        guard !isAbsolute, let shared = innermostRepeat(of: target, and: context) else { return target.text }
        let common = max(shared.steps.count, Self.commonSteps(of: target.parent, and: context.parent))
        let up = [String](repeating: "..", count: context.steps.count - common)
        let down = target.steps[common...].map(\.text)
        return (isInPredicate ? "current()/" : "") + (up + down).joined(separator: "/")
    }

    /// As short a path as pyxform writes: `../urgency` and not `../../repair/urgency`.
    private static func commonSteps(of target: XFormPath, and context: XFormPath) -> Int {
        zip(target.steps, context.steps).prefix { $0 == $1 }.count
    }

    /// The innermost repeat that both are in, the target properly.
    private func innermostRepeat(of target: XFormPath, and context: XFormPath) -> XFormPath? {
        var path = target.parent
        while path.steps.count > 1 {
            if repeats.contains(path), context.isWithin(path) { return path }
            path = path.parent
        }
        return nil
    }
}
