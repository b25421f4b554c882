import DocumentValues
import FormLogic

/// Chosen answers as a person reads them.
struct ChoiceText {
    let index: ChoiceIndex

    /// `2 Serious fault`; the name of a choice that is not offered any more.
    func one(_ name: Name) -> String {
        guard let choice = index.index(of: name) else { return name.text.printableLine }
        return "\(choice + 1) \(index.label(choice).printableLine)"
    }

    /// `3 Food, 1 Water`
    func several(_ names: [Name]) -> String {
        let further = names.count - EntryLimits.clarified
        let shown = names.prefix(EntryLimits.clarified).map { one($0) }.joined(separator: ", ")
        return further > 0 ? "\(shown) and \(further) more" : shown
    }

    /// Every offered choice in a line, with a mark at those that are chosen; of a long list only these.
    func marked(_ names: [Name]) -> [String] {
        guard index.choices.count <= EntryLimits.markedChoices else { return names.map { "[x] \(one($0))" } }
        let chosen = Set(names)
        let offered = index.choices.map { "[\(chosen.contains($0.name) ? "x" : " ")] \(one($0.name))" }
        return offered + names.filter { index.index(of: $0) == nil }.map { "[x] \(one($0))" }
    }
}
