import DocumentValues
import FormLogic

/// The members of an object of a script by the children of a group or an instance: a question deeper down may be named by
/// its path, or alone if it is the only one of its name.
struct GivenAnswers {
    private(set) var values: [FormOutline.ID: JSONValue] = [:]
    private(set) var problems: [FillProblem] = []

    private let outline: FormOutline
    private let formNode: FormOutline.ID
    /// The path of the group or the instance, for problems.
    private let prefix: String

    /// - Parameters:
    ///   - formNode: of the group or the repeat.
    ///   - prefix: `point[2]`; empty for the record.
    init(_ object: JSONObject, formNode: FormOutline.ID, outline: FormOutline, prefix: String) {
        self.outline = outline
        self.formNode = formNode
        self.prefix = prefix
        var children: [FormOutline.ID] = []
        var given: [FormOutline.ID: [JSONValue]] = [:]
        for member in object.members where member.key.utf8.first != UInt8(ascii: "@") {
            let parts = member.key.split(atByte: "/").map(String.init)
            guard let steps = steps(to: parts), let child = steps.first else {
                addUnknown(member.key, parts: parts)
                continue
            }
            if given[child] == nil { children.append(child) }
            given[child, default: []].append(value(member.value, below: steps))
        }
        for child in children { values[child] = merged(given[child] ?? [], at: [child]) }
    }

    /// A value at the end of some steps as the object that the first of them has.
    private func value(_ value: JSONValue, below steps: [FormOutline.ID]) -> JSONValue {
        steps.dropFirst().reversed().reduce(value) { value, step in
            .object(JSONObject(members: [JSONObject.Member(key: outline[step].node.name.text, value: value)]))
        }
    }

    private mutating func addUnknown(_ key: String, parts: [String]) {
        let path = prefix.isEmpty ? key : "\(prefix)/\(key)"
        let last = Name(parts.last ?? key)
        let named = outline.nodes(named: last).filter { outline.isInside($0, of: formNode) && $0 != formNode }
        let message: String
        if named.contains(where: { outline.isMeta($0) }) || last == FormOutline.meta {
            message = "belongs to the record itself, and takes no answer"
        } else if let around = named.compactMap({ outline[$0].enclosingRepeat }).first, around != formNode {
            message = "is in the repeat '\(outline[around].node.name.text)', whose instances are a list"
        } else if named.count > 1 {
            message = "may be any of \(named.count) questions; name its group, too"
        } else {
            let known = outline.entries[formNode..<outline[formNode].end].dropFirst().map(\.node.name.text)
            // Each search compares the name with all of the form.
            let hint = problems.count < FormLimits.problems ? NearName.hint(last.text, among: known) : nil
            message = "the form has no such question\(hint.map { ". \($0)" } ?? "")"
        }
        problems.append(FillProblem(.unknown, path: path, message: message))
    }

    /// The nodes from a child of the group to the named one, without a repeat on the way.
    private func steps(to names: [String]) -> [FormOutline.ID]? {
        guard let name = names.first else { return nil }
        var steps: [FormOutline.ID]
        if let child = outline.child(of: formNode, named: Name(name)) {
            steps = [child]
        } else {
            let inside = outline.nodes(named: Name(name)).filter {
                outline.isInside($0, of: formNode) && $0 != formNode
            }
            guard inside.count == 1 else { return nil }
            steps = Array(outline.ancestry(of: inside[0]).drop { $0 != formNode }.dropFirst())
        }
        for name in names.dropFirst() {
            guard let last = steps.last, let child = outline.child(of: last, named: Name(name)) else { return nil }
            steps.append(child)
        }
        let isReached = !steps.contains { outline.isMeta($0) } && !steps.dropLast().contains { outline[$0].isRepeat }
        return isReached ? steps : nil
    }

    // MARK: Several members for one node

    /// The members of a group together. Of anything else one value is enough: several are a problem, and none is taken.
    private mutating func merged(_ values: [JSONValue], at way: [FormOutline.ID]) -> JSONValue? {
        guard values.count > 1 else { return values.first }
        let node = outline[way[way.count - 1]]
        // A group that is null says nothing about its questions.
        let objects = values.filter { !$0.isNull }.map(\.objectValue)
        guard node.type == nil, !node.isRepeat, !objects.contains(where: { $0 == nil }) else {
            refuse(way)
            return nil
        }
        var keys: [String] = []
        var byKey: [Name: [JSONValue]] = [:]
        for member in objects.compactMap(\.self).flatMap(\.members) {
            if byKey[Name(member.key)] == nil { keys.append(member.key) }
            byKey[Name(member.key), default: []].append(member.value)
        }
        var members: [JSONObject.Member] = []
        for key in keys {
            guard let value = merged(byKey[Name(key)] ?? [], of: key, below: way) else { continue }
            members.append(JSONObject.Member(key: key, value: value))
        }
        return .object(JSONObject(members: members))
    }

    /// A member with another spelling of its path is looked at with the group. Groups of a form are at most
    /// `FormLimits.depth` deep, so nested calls do no harm.
    private mutating func merged(
        _ values: [JSONValue], of key: String, below way: [FormOutline.ID]
    ) -> JSONValue? {
        guard let child = outline.child(of: way[way.count - 1], named: Name(key)) else { return values.first }
        return merged(values, at: way + [child])
    }

    private mutating func refuse(_ way: [FormOutline.ID]) {
        let path = way.map { outline[$0].node.name.text }.joined(separator: "/")
        problems.append(FillProblem.repeated(prefix.isEmpty ? path : "\(prefix)/\(path)"))
    }
}
