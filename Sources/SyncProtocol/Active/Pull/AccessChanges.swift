import DocumentValues

/// What a pull learns of the user's access while it goes on.
struct AccessChanges: Sendable {
    /// Where in the feed access to a document was lost last: what was announced before is void.
    private var losses: [Name: Int] = [:]
    /// The access change that the last backfilled row spoke of.
    private var lastTrigger: UInt64 = 0
    /// Access seems to have come back since this was asked for last.
    private var hasRegained = false

    var hasLosses: Bool { !losses.isEmpty }

    mutating func lost(_ documentID: String, at feedIndex: Int) { losses[Name(documentID)] = feedIndex }

    /// Whether access to the document was lost after the sequence was announced.
    func isVoid(_ arrival: Arrival) -> Bool {
        losses[Name(arrival.documentID)].map { arrival.feedIndex < $0 } ?? false
    }

    /// Nothing is under way that could be void.
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
