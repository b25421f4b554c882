import DocumentValues
import FormLogic

/// Finds the choice that a typed text means.
struct ChoiceMatching {
    enum Result {
        case one(Int)
        case several([Int])
        case none
    }

    let index: ChoiceIndex
    private let source: AnswerContext.Source

    init(_ index: ChoiceIndex, source: AnswerContext.Source = .person) {
        self.index = index
        self.source = source
    }

    /// By its number in the list, its name, its label or a beginning that only one has. An exact match goes before
    /// beginnings.
    func match(_ text: String) -> Result {
        let typed = text.trimmingSpaces
        guard !typed.isEmpty else { return .none }
        let named = index.index(of: Name(typed))
        if source == .script, let named { return .one(named) }
        let folded = FoldedText.of(typed)
        let shown = index.shown(folded)
        let same = shown.filter { index.label($0).isExactly(typed) }
        var found = Set(same.isEmpty ? shown : same)
        found.formUnion([named, row(typed)].compactMap(\.self))
        if found.isEmpty { found = Set(index.named(folded)) }
        if found.isEmpty { found = Set(index.beginning(folded)) }
        if found.isEmpty { found = Set([numbered(typed)].compactMap(\.self)) }
        return found.count > 1 ? .several(found.sorted()) : found.first.map { .one($0) } ?? .none
    }

    /// The choice with that number in the list, from 1.
    func row(_ text: some StringProtocol) -> Int? {
        let digits = PlainDigits.of(String(text))
        guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(digits), (1...max(1, index.choices.count)).contains(number), !index.choices.isEmpty
        else { return nil }
        return number - 1
    }

    /// `2 Serious fault`, as the answer is shown.
    private func numbered(_ text: String) -> Int? {
        let parts = text.split(atByte: " ", maxSplits: 1)
        guard parts.count == 2, let row = row(parts[0]),
            FoldedText.of(index.label(row)).isExactly(FoldedText.of(String(parts[1])))
        else { return nil }
        return row
    }

    /// The label in a line of its own, with its number: `2 Serious fault`.
    func text(_ choice: Int) -> String {
        "\(choice + 1) \(index.label(choice).shortened(toScalars: EntryLimits.quoted).printableLine)"
    }

    func refusal(_ text: String, several choices: [Int]) -> AnswerRefusal {
        .severalChoices(
            text, texts: choices.prefix(EntryLimits.clarified).map { self.text($0) },
            further: max(0, choices.count - EntryLimits.clarified))
    }

    func refusal(_ text: String) -> AnswerRefusal {
        if index.choices.isEmpty { return .noChoiceOffered }
        let isNumber = !text.isEmpty && text.utf8.count <= 9 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isNumber { return .noSuchRow(text, count: index.choices.count) }
        // Each comparison takes the product of both lengths.
        let few = index.choices.indices.prefix(EntryLimits.comparedChoices)
        return .noSuchChoice(text, hint: NearName.hint(text, among: few.lazy.map { index.label($0) }))
    }
}
