import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

/// The log of a form's filling, of forms that ask for one: what happened, to which question, and when.
struct FormAudit: Sendable {
    /// Whether values are noted before and after each change.
    let tracksChanges: Bool
    let identifiesUser: Bool
    let tracksReasons: Bool
    private let root: String

    enum Event: String {
        case start = "form start"
        case resume = "form resume"
        case save = "form save"
        case finalize = "form finalize"
        case exit = "form exit"
        case question
        case addRepeat = "add repeat"
        case deleteRepeat = "delete repeat"
        case reason = "change reason"
    }

    /// `nil` where the form asks for none.
    init?(_ form: Form) {
        guard let node = Self.node(in: form.nodes) else { return nil }
        func isSet(_ name: Name) -> Bool { node.parameters.contains { $0.name == name && $0.text.isExactly("true") } }
        root = form.root.text
        tracksChanges = isSet("track-changes")
        identifiesUser = isSet("identify-user")
        tracksReasons = node.parameters.contains { $0.name == "track-changes-reasons" }
    }

    private static func node(in nodes: [FormNode]) -> FormNode? {
        for node in nodes {
            if node.type == .plain(.audit) { return node }
            if let inner = self.node(in: node.nodes) { return inner }
        }
        return nil
    }

    /// The columns behind `event`, `node`, `start` and `end`.
    var moreColumns: [String] {
        (tracksChanges ? ["old-value", "new-value"] : []) + (identifiesUser ? ["user"] : [])
            + (tracksReasons ? ["change-reason"] : [])
    }

    /// - Parameters:
    ///   - path: of the question, with the positions of instances and without the root; `nil` for the form.
    ///   - start: milliseconds since 1970, as is the end.
    func entry(
        _ event: Event, at path: String? = nil, from start: Int64, to end: Int64? = nil, by user: String?,
        values: (old: String?, new: String?) = (nil, nil), because reason: String? = nil
    ) -> JSONObject {
        var entry: JSONObject = ["event": .string(event.rawValue)]
        entry["node"] = path.map { .string("/\(root)/\($0)") }
        entry["start"] = .int(Int(start))
        entry["end"] = end.map { .int(Int($0)) }
        if tracksChanges {
            entry["old-value"] = values.old.map { .string($0) }
            entry["new-value"] = values.new.map { .string($0) }
        }
        if identifiesUser { entry["user"] = user.map { .string($0) } }
        if tracksReasons { entry["change-reason"] = reason.map { .string($0) } }
        return entry
    }

    /// The answers that differ, and the instances that came and went.
    func changes(
        from old: JSONObject, to new: JSONObject, since start: Int64, until end: Int64, by user: String?
    ) -> [JSONObject] {
        let (before, after) = (AnswerLeaf.all(in: .object(old)), AnswerLeaf.all(in: .object(new)))
        let olds = Dictionary(before.map { (Name($0.key), $0) }, uniquingKeysWith: { $1 })
        let known = Set(after.map { Name($0.key) })
        let changed = after.filter { olds[Name($0.key)]?.value != $0.value }
        let gone = before.filter { !known.contains(Name($0.key)) }
        let (were, are) = (Self.instances(before), Self.instances(after))
        func instances(_ event: Event, of some: [AnswerLeaf], besides others: [AnswerLeaf]) -> [JSONObject] {
            let there = Set(others.map { Name($0.key) })
            return some.filter { !there.contains(Name($0.key)) }.map { entry(event, at: $0.path, from: end, by: user) }
        }
        func answered(_ leaf: AnswerLeaf, from old: String?, to new: String?) -> JSONObject {
            entry(.question, at: leaf.path, from: start, to: end, by: user, values: (old, new))
        }
        return instances(.addRepeat, of: are, besides: were)
            + changed.map { answered($0, from: olds[Name($0.key)]?.text, to: $0.text) }
            + gone.map { answered($0, from: $0.text, to: nil) }
            + instances(.deleteRepeat, of: were, besides: are)
    }

    /// The instances of repeats in which there are answers, each once.
    private static func instances(_ leaves: [AnswerLeaf]) -> [AnswerLeaf] {
        var seen: Set<Name> = []
        return leaves.flatMap { leaf -> [AnswerLeaf] in
            let (keys, paths) = (leaf.key.split(atByte: "/"), leaf.path.split(atByte: "/"))
            return keys.indices.filter { keys[$0].utf8.last == UInt8(ascii: "]") }.compactMap { index in
                let key = keys[...index].joined(separator: "/")
                guard seen.insert(Name(key)).inserted else { return nil }
                return AnswerLeaf(key: key, path: paths[...index].joined(separator: "/"), value: .null)
            }
        }
    }
}

extension Response {
    /// One saving follows another: only the last is kept.
    mutating func log(_ entries: [JSONObject]) {
        let save = JSONValue.string(FormAudit.Event.save.rawValue)
        if audit.last?["event"] == save, !entries.isEmpty { audit.removeLast() }
        audit += entries
        let surplus = audit.count - FormLibraryLimits.auditEvents
        if surplus > 0 { audit.removeSubrange(1...surplus) }
    }
}
