import DocumentValues
import FormLogic

/// The choices in the secondary instances of an XForm.
struct XFormLists {
    private let texts: XFormTexts

    init(texts: XFormTexts) { self.texts = texts }

    /// - Parameters:
    ///   - valueName: the element that holds the stored value.
    ///   - label: the element that holds the label; `jr:itext(…)` around the one that holds the label's id.
    /// - Returns: `nil` for an instance that is no list of items.
    func list(_ instance: MarkupElement, named name: Name, valueName: String, label: String?) -> ChoiceList? {
        guard let root = instance.children.first, instance.children.count == 1 else { return nil }
        let items = root.children
        guard items.allSatisfy({ $0.local == items[0].local && $0.children.allSatisfy(\.children.isEmpty) }) else {
            return nil
        }
        let id = label?.firstMatch(of: /^jr:itext\(\s*([^)\s]+)\s*\)/).map { String($0.1) }
        let columns = ItemColumns(value: valueName, label: id == nil ? label ?? "label" : "label", id: id ?? "itextId")
        // An item without a value cannot be chosen.
        let choices = items.map { choice($0, columns: columns) }.filter { !$0.name.isEmpty }
        return choices.isEmpty && !items.isEmpty ? nil : ChoiceList(name: name, choices: choices)
    }

    /// An item that holds a text and no elements: the text is its value, whatever a question takes for it.
    private func readOwnText(_ text: String, into choice: inout Choice) {
        guard !text.isEmpty else { return }
        choice.name = Name(text)
        choice.columns = [NamedText(name: TableInstance.ownText, text: text)]
    }

    private struct ItemColumns {
        let value: String
        let label: String
        let id: String
    }

    private func choice(_ item: MarkupElement, columns: ItemColumns) -> Choice {
        var choice = Choice(name: "", sourceRow: item.line)
        if item.children.isEmpty { readOwnText(item.text.trimmingSpaces, into: &choice) }
        for child in item.children {
            let text = child.text.trimmingSpaces
            if child.local == columns.value { choice.name = Name(text) }
            if child.local == columns.id, let entry = texts.entries[Name(text)] {
                choice.label = texts.text(entry.label)
                choice.media = texts.media(entry)
            } else if child.local == columns.label {
                choice.label = text.isEmpty ? nil : .plain(text)
            }
            let isKnown = ["name", "itextId", "label"].contains(child.local)
            if !isKnown, !text.isEmpty { choice.columns.append(NamedText(name: Name(child.local), text: text)) }
        }
        return choice
    }
}
