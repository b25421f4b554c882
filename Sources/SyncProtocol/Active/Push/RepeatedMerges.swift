import DocumentValues

/// Documents whose versions were put together in a session that runs once. Where somebody else goes on changing one, the
/// gateway has another version by the time that what came of it is pushed, and the pull, which has ended, does not bring that
/// by itself.
struct RepeatedMerges: Sendable {
    private var counts: [Name: UInt64] = [:]

    mutating func wasMerged(_ documentID: String) { counts[Name(documentID), default: 0] += 1 }

    /// How long the next try waits, in milliseconds: ever longer, so that somebody who saves very often may come to a pause.
    ///
    /// - Returns: `nil` where the versions were not put together yet, or often enough.
    func pause(before documentID: String) -> Instant? {
        guard let count = counts[Name(documentID)], count <= ActiveLimits.repeatedMerges else { return nil }
        return min(ActiveLimits.firstMergePause << (count - 1), ActiveLimits.longestMergePause)
    }
}
