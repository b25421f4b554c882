import DocumentValues
import FormLogic

/// Lists of choices: a map `name: label`, or a list of names or of maps.
extension FormYAMLReader {
    mutating func readLists(_ node: YAMLNode) {
        for entry in entries(of: node, owner: "lists") ?? [] {
            note(FormPart(.list(form.lists.count)), at: entry.key.position)
            let index = form.lists.count
            form.lists.append(ChoiceList(name: entry.key.name, choices: []))
            form.lists[index].choices = readChoices(entry.value, list: entry.key.name, index: index)
        }
    }

    private mutating func readChoices(_ node: YAMLNode, list: Name, index: Int) -> [Choice] {
        let owner = "list '\(list.text)'"
        switch node.content {
        case .text(let text):
            if !text.isEmpty { reportShape(of: node, owner: owner, expected: "a map 'name: label' or a list") }
            return []
        case .map(let entries):
            // A name that is there twice is the checker's: some forms allow it.
            return entries.enumerated().map { position, entry in
                let part = FormPart(.choice(list: index, index: position))
                note(part, at: entry.key.position)
                var choice = Choice(name: entry.key.name)
                choice.sourceRow = entry.key.position.line
                choice.label = formText(
                    of: entry.value, owner: "label of '\(entry.key.text)'",
                    part: FormPart(part.owner, member: "label"))
                return choice
            }
        case .list(let items):
            var choices: [Choice] = []
            for item in items {
                let part = FormPart(.choice(list: index, index: choices.count))
                note(part, at: item.position)
                if let choice = readChoice(item, owner: owner, part: part) { choices.append(choice) }
            }
            return choices
        }
    }

    private mutating func readChoice(_ node: YAMLNode, owner: String, part: FormPart) -> Choice? {
        var choice = Choice(name: "")
        choice.sourceRow = node.position.line
        switch node.content {
        case .text(let text): choice.name = Name(text)
        case .list:
            reportShape(of: node, owner: owner, expected: "a name or a map")
            return nil
        case .map:
            for entry in entries(of: node, owner: "a choice of \(owner)") ?? [] {
                let member = FormPart(part.owner, member: entry.key.name)
                note(member, at: entry.value.position)
                readMember(entry, of: &choice, owner: "\(owner), '\(entry.key.text)'", part: member)
            }
        }
        return choice
    }

    private mutating func readMember(_ entry: YAMLEntry, of choice: inout Choice, owner: String, part: FormPart) {
        switch entry.key.text {
        case "name": choice.name = Name(text(of: entry.value, owner: owner) ?? "")
        case "label": choice.label = formText(of: entry.value, owner: owner, part: part)
        case "media": choice.media = media(of: entry.value, owner: owner)
        default:
            guard let text = entry.value.text else {
                reportShape(of: entry.value, owner: owner, expected: "a text")
                return
            }
            choice.columns.append(NamedText(name: entry.key.name, text: text))
        }
    }

    mutating func media(of node: YAMLNode, owner: String) -> FormMedia {
        var media = FormMedia()
        for entry in entries(of: node, owner: owner) ?? [] {
            guard let kind = FormMedia.Kind(exactly: entry.key.text) else {
                reportUnknown(entry.key, in: "media", known: FormMedia.Kind.allCases.map(\.rawValue))
                continue
            }
            media[kind] = texts(of: entry.value, owner: owner)
        }
        return media
    }

    /// The choice `other` in the lists of questions with `or_other`.
    mutating func addOtherChoices() {
        let wanted = Set(listsWithOther)
        for index in form.lists.indices where wanted.contains(form.lists[index].name) {
            OtherChoice.add(to: &form.lists[index], languages: form.languages)
        }
    }
}
