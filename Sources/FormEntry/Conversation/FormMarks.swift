import DocumentValues
import FormLogic

/// What a draft remembers beside its answers.
package struct FormMarks: Sendable, Hashable {
    /// Questions that were left open by `:skip`.
    package var skipped: Set<Record.ID>
    /// Remarks for the reviewer, by their questions.
    package var notes: [Record.ID: String]
    /// Lines of answers that were typed, while their questions are open; of lines of points a point each.
    package var begun: [Record.ID: String]

    package init(
        skipped: Set<Record.ID> = [], notes: [Record.ID: String] = [:], begun: [Record.ID: String] = [:]
    ) {
        self.skipped = skipped
        self.notes = notes
        self.begun = begun
    }

    /// Nodes that are removed: their numbers may become those of others.
    mutating func forget(_ nodes: Set<Record.ID>) {
        skipped.subtract(nodes)
        for node in nodes { (notes[node], begun[node]) = (nil, nil) }
    }

    package static func == (left: FormMarks, right: FormMarks) -> Bool {
        left.skipped == right.skipped && areSame(left.notes, as: right.notes) && areSame(left.begun, as: right.begun)
    }

    private static func areSame(_ left: [Record.ID: String], as right: [Record.ID: String]) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key].isExactly($0.value) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(skipped)
        hasher.combine(Set(notes.keys))
    }
}
