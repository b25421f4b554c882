import DocumentValues

/// The changes of the user's access that a pull notices while it runs.
struct AccessChanges: Sendable {
    /// The index in the feed at which access to a document was last lost: earlier announcements of it are void.
    private var losses: [Name: Int] = [:]
    /// The sequence of the access change because of which the last old row came.
    private var lastTrigger: UInt64 = 0
    /// Access seems to have been regained since the last query.
    private var hasRegained = false

    var hasLosses: Bool { !losses.isEmpty }

    mutating func lost(_ documentID: String, at feedIndex: Int) { losses[Name(documentID)] = feedIndex }

    /// Whether access to the document was lost after the sequence was announced.
    func isVoid(_ arrival: Arrival) -> Bool {
        losses[Name(arrival.documentID)].map { arrival.feedIndex < $0 } ?? false
    }

    /// No announcement is open that could be void.
    mutating func forgetLosses() { losses = [:] }

    /// `120:7` is an old document that comes because of an access change at 120.
    mutating func noteBackfill(_ sequence: String) {
        guard sequence.utf8.contains(UInt8(ascii: ":")), let sequence = SequenceID(parsing: sequence),
            sequence.triggeredBy > lastTrigger
        else { return }
        lastTrigger = sequence.triggeredBy
        hasRegained = true
    }

    mutating func takeRegained() -> Bool {
        defer { hasRegained = false }
        return hasRegained
    }
}
