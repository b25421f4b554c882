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
}
