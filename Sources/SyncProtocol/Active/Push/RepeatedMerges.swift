import DocumentValues

/// Documents that a one-shot session has merged. If another client goes on changing one, the gateway has yet another revision
/// by the time the merged one is pushed. The pull has ended by then, and does not bring that revision by itself.
struct RepeatedMerges: Sendable {
    private var counts: [Name: UInt64] = [:]

    mutating func noteMerged(_ documentID: String) { counts[Name(documentID), default: 0] += 1 }

    /// The delay before the next merge, in milliseconds. It grows with each merge, so that a user who saves very often may
    /// come to a pause.
    ///
    /// - Returns: `nil` if the document was not merged yet, or often enough.
    func pause(before documentID: String) -> Instant? {
        guard let count = counts[Name(documentID)], count <= ActiveLimits.repeatedMerges else { return nil }
        return min(ActiveLimits.firstMergePause << (count - 1), ActiveLimits.longestMergePause)
    }
}
