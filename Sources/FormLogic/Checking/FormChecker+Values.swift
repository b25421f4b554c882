import DocumentValues

/// Defaults and triggers.
extension FormChecker {
    mutating func checkDefault(of id: FormOutline.ID) {
        guard let type = outline[id].type, let text = outline[id].node.defaultValue, !text.isEmpty,
            !DefaultText.isDynamic(text, type: type)
        else { return }
        let owner = "default of '\(outline[id].node.name.text)'"
        if case .select(_, .list(let list)) = type { return checkChoices(text, list: list, owner: owner, id: id) }
        guard let expected = WrittenAnswer.fault(of: text, type: type) else { return }
        add(.badDefault, at: part(id, member: "default"), message: "\(owner): '\(text)' is \(expected).")
    }

    private mutating func checkChoices(_ text: String, list: Name, owner: String, id: FormOutline.ID) {
        guard let known = choices(of: list) else { return }
        let isOne = if case .select(.one, _)? = outline[id].type { true } else { false }
        let names = isOne ? [Name(text)] : text.spacedParts.map { Name($0) }
        for name in names where !known.contains(name) {
            let hint = nearHint(name, among: known)
            add(
                .badDefault, at: part(id, member: "default"),
                message: "\(owner): '\(name.text)' is no choice of the list '\(list.text)'.", hint: hint)
        }
    }

    mutating func checkTrigger(of id: FormOutline.ID) {
        let node = outline[id].node
        let owner = "trigger of '\(node.name.text)'"
        if node.type == .plain(.backgroundGeopoint), node.trigger.isEmpty {
            add(
                .badTrigger, at: part(id),
                message: "'\(node.name.text)' is a background-geopoint, which needs a trigger.")
        }
        for name in node.trigger {
            let found = outline.nodes(named: name)
            if found.count == 1, outline[found[0]].type?.isVisible == true { continue }
            let message =
                switch found.count {
                case 0: "no question is called '\(name.text)'."
                case 1: "'\(name.text)' is not asked, and so cannot trigger anything."
                default: "\(found.count) questions are called '\(name.text)'."
                }
            let hint = found.isEmpty ? nearHint(name, among: names) : nil
            add(.badTrigger, at: part(id, member: "trigger"), message: "\(owner): \(message)", hint: hint)
        }
    }

    /// The instances with which a record begins: their questions are those of the repeat, and hold the texts.
    mutating func checkFirstInstances(of id: FormOutline.ID) {
        let instances = outline[id].node.firstInstances
        guard !instances.isEmpty else { return }
        guard outline[id].enclosingRepeat == nil else {
            return add(
                .unknownKey, at: part(id, member: "instances"),
                message: "'\(outline[id].node.name.text)' is in another repeat, whose instances have its own.")
        }
        var open = instances.map { (texts: $0, formNode: id) }
        while let (texts, formNode) = open.popLast() {
            for member in texts.members { open += checkFirstValue(member, in: formNode, of: id) }
        }
    }

    /// - Returns: the texts of a group, or of the instances of a repeat.
    private mutating func checkFirstValue(
        _ member: JSONObject.Member, in formNode: FormOutline.ID, of id: FormOutline.ID
    ) -> [(texts: JSONObject, formNode: FormOutline.ID)] {
        let owner = "instances of '\(outline[id].node.name.text)'"
        guard let child = outline.child(of: formNode, named: Name(member.key)) else {
            add(
                .unknownReference, at: part(id, member: "instances"),
                message: "\(owner): no question is called '\(member.key)' there.")
            return []
        }
        let objects = member.value.arrayValue?.map(\.objectValue) ?? [member.value.objectValue]
        if let type = outline[child].type, let text = member.value.stringValue {
            if !text.isEmpty, let expected = WrittenAnswer.fault(of: text, type: type) {
                add(
                    .badDefault, at: part(id, member: "instances"),
                    message: "\(owner): '\(text)' of '\(member.key)' is \(expected).")
            }
            return []
        }
        let isList = member.value.arrayValue != nil
        guard outline[child].type == nil, isList == outline[child].isRepeat, !objects.contains(where: { $0 == nil })
        else {
            add(
                .badDefault, at: part(id, member: "instances"),
                message: "\(owner): '\(member.key)' needs a text, or what the group or the repeat has.")
            return []
        }
        return objects.compactMap(\.self).map { ($0, child) }
    }
}
