import DocumentValues
import FormLogic

/// The choices in the secondary instances of an XForm.
struct XFormLists {
    private let texts: XFormTexts

    init(texts: XFormTexts) { self.texts = texts }

    /// - Parameter valueName: the element that holds what is stored.
    /// - Returns: `nil` for an instance that is no list of items.
    func list(_ instance: MarkupElement, named name: Name, valueName: String, labelName: String?) -> ChoiceList? {
        guard let root = instance.children.first, instance.children.count == 1 else { return nil }
        let items = root.children
        guard items.allSatisfy({ $0.local == "item" && $0.children.allSatisfy(\.children.isEmpty) }) else { return nil }
        return ChoiceList(
            name: name, choices: items.map { choice($0, valueName: valueName, labelName: labelName ?? "label") })
    }

    private func choice(_ item: MarkupElement, valueName: String, labelName: String) -> Choice {
        var choice = Choice(name: "", sourceRow: item.line)
        for child in item.children {
            let text = child.text.trimmingSpaces
            switch child.local {
            case "itextId":
                guard let entry = texts.entries[Name(text)] else { continue }
                choice.label = texts.text(entry.label)
                choice.media = texts.media(entry)
            case labelName: choice.label = text.isEmpty ? nil : .plain(text)
            default: if child.local != "name", !text.isEmpty { choice.columns.append(column(child.local, text: text)) }
            }
            if child.local == valueName { choice.name = Name(text) }
        }
        return choice
    }

    private func column(_ name: String, text: String) -> NamedText { NamedText(name: Name(name), text: text) }
}
