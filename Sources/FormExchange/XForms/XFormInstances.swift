import DocumentValues
import FormLogic

/// The instances of repeats in an XForm's instance, as far as they are not those with which a record begins anyway.
struct XFormInstances {
    let tree: InstanceTree
    /// Elements of the body by their nodes.
    let repeats: [XFormPath: MarkupElement]

    /// - Parameter node: a repeat.
    /// - Returns: none for a repeat in another one, and where there is one instance with the defaults.
    func first(of node: InstanceTree.Node) -> [JSONObject] {
        guard !hasRepeat(around: node.path) else { return [] }
        return kept((tree.elements[node.path] ?? []).map { texts(of: $0, at: node.path) })
    }

    private func hasRepeat(around path: XFormPath) -> Bool {
        var parent = path.parent
        while parent.steps.count > 1 {
            if isRepeat(parent) { return true }
            parent = parent.parent
        }
        return false
    }

    private func isRepeat(_ path: XFormPath) -> Bool { repeats[path] != nil || tree[path]?.isTemplate == true }

    private func kept(_ instances: [JSONObject]) -> [JSONObject] {
        instances.count == 1 && instances[0].isEmpty ? [] : instances
    }

    /// The texts that are other than the defaults. Elements of a form are at most `FormExchangeLimits.markupDepth` deep, so
    /// nested calls do no harm.
    private func texts(of element: MarkupElement, at path: XFormPath) -> JSONObject {
        var members: [JSONObject.Member] = []
        var inner: [Name: [JSONObject]] = [:]
        for child in element.children where child.local != "meta" {
            let childPath = path.appending(Name(child.local))
            guard let node = tree[childPath] else { continue }
            if isRepeat(childPath) {
                guard child["template", in: .javaRosa] == nil else { continue }
                inner[Name(child.local), default: []].append(texts(of: child, at: childPath))
            } else if !node.children.isEmpty {
                let group = texts(of: child, at: childPath)
                if !group.isEmpty { members.append(JSONObject.Member(key: child.local, value: .object(group))) }
            } else if child.text.trimmingSpaces != node.text {
                let text = XFormTexts.fileName(child.text.trimmingSpaces)
                members.append(JSONObject.Member(key: child.local, value: .string(text)))
            }
        }
        for name in inner.keys.sorted() {
            let instances = kept(inner[name] ?? [])
            guard !instances.isEmpty else { continue }
            members.append(JSONObject.Member(key: name.text, value: .array(instances.map { .object($0) })))
        }
        return JSONObject(members: members)
    }
}
