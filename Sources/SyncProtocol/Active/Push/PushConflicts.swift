import DocumentValues

/// Documents whose push was refused because the gateway has another branch of them. The pull brings that branch; what it
/// does not bring, perhaps because the user may not see it or because it came long ago, is reported after a while.
struct PushConflicts: Sendable {
    private struct Entry: Sendable {
        var candidate: PushCandidate
        /// When the gateway refused it.
        var since: Timestamp
        /// The application was notified, and the outbox has it.
        var isReported = false

        var reportTime: Timestamp { since + ActiveLimits.conflictReportDelay }
    }

    private var entries: [Name: Entry] = [:]
    /// When the oldest that was not reported is due; `nil` where none waits.
    private(set) var reportTime: Timestamp?

    enum Addition {
        case new
        /// It was there, as the same revision.
        case known(isReported: Bool)
    }

    /// - Parameter isReportedLater: whether it is reported while the session goes on; otherwise only at its end.
    mutating func add(_ candidate: PushCandidate, at now: Timestamp, isReportedLater: Bool) -> Addition {
        let id = Name(candidate.documentID)
        if let entry = entries[id], entry.candidate.revision == candidate.revision {
            return .known(isReported: entry.isReported)
        }
        let entry = Entry(candidate: candidate, since: now)
        entries[id] = entry
        if isReportedLater, reportTime == nil { reportTime = entry.reportTime }
        return .new
    }

    /// - Returns: the revision that was in conflict.
    @discardableResult
    mutating func remove(_ documentID: String) -> PushCandidate? {
        guard !entries.isEmpty else { return nil }
        return entries.removeValue(forKey: Name(documentID))?.candidate
    }

    /// What comes of a newer revision of the document counts.
    mutating func removeOlder(than candidate: PushCandidate) {
        guard !entries.isEmpty, let old = entries[Name(candidate.documentID)] else { return }
        if old.candidate.revision != candidate.revision { entries[Name(candidate.documentID)] = nil }
    }

    /// Those that wait no longer, in the order of their sequences; they count as reported.
    ///
    /// - Parameter active: the documents under way: the newer revision gets an answer of its own.
    mutating func takeDue(at now: Timestamp, besides active: PushTable) -> [PushCandidate] {
        guard let due = reportTime, due <= now else { return [] }
        reportTime = nil
        var reported: [PushCandidate] = []
        for (id, entry) in entries where !entry.isReported && !active.contains(id.text) {
            if entry.reportTime <= now {
                entries[id]?.isReported = true
                reported.append(entry.candidate)
            } else {
                reportTime = min(reportTime ?? .max, entry.reportTime)
            }
        }
        return reported.sorted { $0.sequence < $1.sequence }
    }

    /// All that were not reported, in the order of their sequences.
    mutating func takeAll() -> [PushCandidate] {
        defer { entries = [:] }
        return entries.values.filter { !$0.isReported }.map(\.candidate).sorted { $0.sequence < $1.sequence }
    }
}
