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
    /// The ways to questions that were given more than once: none of their values is taken.
    private var repeated: Set<[FormOutline.ID]> = []

    /// - Parameters:
    ///   - formNode: of the group or the repeat.
    ///   - prefix: `point[2]`; empty for the record.
    init(_ object: JSONObject, formNode: FormOutline.ID, outline: FormOutline, prefix: String) {
        self.outline = outline
        self.formNode = formNode
        self.prefix = prefix
        for member in object.members where member.key.utf8.first != UInt8(ascii: "@") { add(member) }
        for way in repeated { remove(way) }
    }

    private mutating func add(_ member: JSONObject.Member) {
        let parts = member.key.split(atByte: "/").map(String.init)
        guard let steps = steps(to: parts), let first = steps.first else { return addUnknown(member.key, parts: parts) }
        let names = steps.dropFirst().map { outline[$0].node.name.text }
        let value = names.reversed().reduce(member.value) { value, name in
            .object(JSONObject(members: [JSONObject.Member(key: name, value: value)]))
        }
        values[first] = values[first].map { merged($0, with: value, at: [first]) } ?? value
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
            let hint = NearName.hint(last.text, among: known.filter { Name($0) != last }).map { ". \($0)" } ?? ""
            message = "the form has no such question\(hint)"
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

    // MARK: Two members for one node

    /// The members of a group together. Of anything else one value is enough: that it is given twice is a problem.
    private mutating func merged(_ left: JSONValue, with right: JSONValue, at way: [FormOutline.ID]) -> JSONValue {
        let node = outline[way[way.count - 1]]
        guard node.type == nil, !node.isRepeat else {
            refuse(way)
            return left
        }
        // A group that is null says nothing about its questions.
        guard !right.isNull else { return left }
        guard !left.isNull else { return right }
        guard var object = left.objectValue, let other = right.objectValue else {
            refuse(way)
            return left
        }
        for member in other.members {
            guard let present = object[member.key] else {
                object[member.key] = member.value
                continue
            }
            // A member with another spelling of its path is looked at with the group.
            guard let child = outline.child(of: way[way.count - 1], named: Name(member.key)) else { continue }
            object[member.key] = merged(present, with: member.value, at: way + [child])
        }
        return .object(object)
    }

    private mutating func refuse(_ way: [FormOutline.ID]) {
        guard repeated.insert(way).inserted else { return }
        let path = way.map { outline[$0].node.name.text }.joined(separator: "/")
        problems.append(FillProblem.repeated(prefix.isEmpty ? path : "\(prefix)/\(path)"))
    }

    private mutating func remove(_ way: [FormOutline.ID]) {
        let names = way.dropFirst().map { outline[$0].node.name.text }
        values[way[0]] = values[way[0]].flatMap { Self.removing(names[...], from: $0) }
    }

    /// Groups of a form are at most `FormLimits.depth` deep, so nested calls do no harm.
    private static func removing(_ names: ArraySlice<String>, from value: JSONValue) -> JSONValue? {
        guard let name = names.first, var object = value.objectValue else { return nil }
        object[name] = object[name].flatMap { removing(names.dropFirst(), from: $0) }
        return .object(object)
    }
}
