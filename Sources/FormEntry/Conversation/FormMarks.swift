import DocumentValues
import FormLogic

/// What a draft remembers beside its answers.
package struct FormMarks: Sendable, Hashable {
    /// Questions that were left open by `:skip`.
    package var skipped: Set<Record.ID>
    /// Remarks for the reviewer, by their questions.
    package var notes: [Record.ID: String]

    package init(skipped: Set<Record.ID> = [], notes: [Record.ID: String] = [:]) {
        self.skipped = skipped
        self.notes = notes
    }

    /// Nodes that are removed: their numbers may become those of others.
    mutating func forget(_ nodes: Set<Record.ID>) {
        skipped.subtract(nodes)
        for node in nodes { notes[node] = nil }
    }

    package static func == (left: FormMarks, right: FormMarks) -> Bool {
        left.skipped == right.skipped && left.notes.count == right.notes.count
            && left.notes.allSatisfy { right.notes[$0.key].isExactly($0.value) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(skipped)
        hasher.combine(Set(notes.keys))
    }
}
