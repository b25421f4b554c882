extension PromptText {
    /// What waits, the most urgent first; counts of 0 are left out.
    static func marks(_ work: OpenWork, refused: Int, quarantined: Int) -> [String] {
        [
            (refused, "refused"), (work.returned, "returned"), (work.due + work.overdue, "due"),
            (work.unsent ?? 0, "to send"), (work.drafts, work.drafts == 1 ? "draft" : "drafts"),
            (quarantined, "in quarantine"),
        ].compactMap { count, word in count > 0 ? "\(count.grouped) \(word)" : nil }
    }
}
