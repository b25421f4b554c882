import DocumentValues
import FormLogic

/// The choices of a question, ordered so that a typed beginning is found among many at once.
package struct ChoiceIndex: Sendable {
    /// In the order in which they are shown, numbered from 1.
    package let choices: [OfferedChoice]
    private let byName: [Name: Int]
    /// Folded names and labels with the index of their choice, in the order of their bytes.
    private let keys: [Key]

    private struct Key: Sendable {
        let text: String
        let choice: Int
        /// A label, or the name that is shown for want of one.
        let isShown: Bool
    }

    /// - Complexity: that of sorting the names and labels.
    package init(_ choices: [OfferedChoice]) {
        self.choices = choices
        byName = Dictionary(choices.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        keys = choices.enumerated().flatMap { index, choice in
            Self.keys(of: choice, at: index)
        }.sorted { left, right in
            left.text.isExactly(right.text)
                ? left.choice < right.choice : left.text.isExactlyBefore(right.text)
        }
    }

    private static func keys(of choice: OfferedChoice, at index: Int) -> [Key] {
        let name = Key(text: FoldedText.of(choice.name.text), choice: index, isShown: choice.label == nil)
        guard let label = choice.label else { return [name] }
        return [name, Key(text: FoldedText.of(label), choice: index, isShown: true)]
    }

    /// The choice with exactly this name.
    package func index(of name: Name) -> Int? { byName[name] }

    /// The label; the name where it has none.
    package func label(_ index: Int) -> String { choices[index].label ?? choices[index].name.text }

    /// Choices that are shown as this, apart from case and accents, in their order.
    func shown(_ folded: String) -> [Int] { equal(folded) { $0.isShown } }

    /// Choices whose name is this, apart from case and accents, in their order.
    func named(_ folded: String) -> [Int] { equal(folded) { _ in true } }

    /// Choices whose name or label begins so, in their order: also for completion.
    ///
    /// - Parameter folded: as `FoldedText` gives it; with no text, none.
    func beginning(_ folded: String) -> [Int] {
        folded.isEmpty ? [] : choices(of: keys[first(folded)...].prefix { $0.text.hasExactPrefix(folded) })
    }

    private func equal(_ folded: String, where fits: (Key) -> Bool) -> [Int] {
        choices(of: keys[first(folded)...].prefix { $0.text.isExactly(folded) }.filter(fits))
    }

    private func choices(of keys: some Sequence<Key>) -> [Int] { Set(keys.map(\.choice)).sorted() }

    /// The first key that is not before the text; those that begin with it follow.
    private func first(_ folded: String) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].text.isExactlyBefore(folded) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Choices that a search field shows for a typed text: those with a part that begins so, in their order.
    ///
    /// - Complexity: the letters of all choices.
    package func narrowed(to text: String) -> [Int] {
        let typed = FoldedText.of(text.shortened(toBytes: EntryLimits.line))
        guard !typed.isEmpty else { return Array(choices.indices) }
        let found = Set(keys.lazy.filter { Self.has($0.text, part: typed) }.map(\.choice))
        return found.sorted()
    }

    /// Whether the text begins so, or the rest behind one of its spaces or hyphens.
    private static func has(_ text: String, part: String) -> Bool {
        var rest = Substring(text)
        while true {
            if rest.hasExactPrefix(part) { return true }
            guard let end = rest.utf8.firstIndex(where: { $0 == 0x20 || $0 == 0x2D }) else { return false }
            rest = rest[rest.utf8.index(after: end)...]
        }
    }
}
