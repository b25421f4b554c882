import DocumentValues

/// Documents whose push was refused because the gateway has another branch of them. The pull brings that branch; what it
/// does not bring, perhaps because the user may not see it or because it came long ago, is reported after a while.
struct PushConflicts: Sendable {
    private struct Entry: Sendable {
        var candidate: PushCandidate
        /// Until then the pull may bring the other branch.
        var reportTime: Instant
        /// What the gateway has of the document is not here, and the pull may have to ask for it by name.
        var isUnknown: Bool
    }

    /// The outbox does not have them yet: with their sequences done they would be forgotten when the process ends.
    private var waiting: [Name: Entry] = [:]
    /// The application was notified, and the outbox has them.
    private var reported: [Name: PushCandidate] = [:]
    /// When the oldest of those that wait is due; `nil` where none waits.
    private(set) var reportTime: Instant?

    enum Addition {
        /// It waits, instead of another candidate of its document.
        case waiting(replaced: PushCandidate?)
        /// It was reported before.
        case reported
    }

    /// How many are not reported.
    var waitingCount: Int { waiting.count }

    /// - Parameters:
    ///   - isUnknown: whether the pull may have to ask for the document by name.
    ///   - due: when it is reported; one that waits already keeps its time.
    mutating func add(_ candidate: PushCandidate, isUnknown: Bool = false, dueAt due: Instant) -> Addition {
        let id = Name(candidate.documentID)
        if let old = reported[id], old.revision == candidate.revision, !candidate.asks(after: old) { return .reported }
        reported[id] = nil
        defer { scheduleReport(of: candidate.documentID) }
        let entry = Entry(candidate: candidate, reportTime: due, isUnknown: isUnknown)
        guard let old = waiting.updateValue(entry, forKey: id) else {
            return .waiting(replaced: nil)
        }
        guard old.candidate.revision == candidate.revision else { return .waiting(replaced: old.candidate) }
        guard !candidate.isQuietRetry else {
            waiting[id] = old
            return .waiting(replaced: nil)
        }
        waiting[id]?.reportTime = old.reportTime
        return .waiting(replaced: old.candidate)
    }

    /// - Returns: the revision that was in conflict.
    mutating func remove(_ documentID: String) -> PushCandidate? {
        guard !waiting.isEmpty || !reported.isEmpty else { return nil }
        let id = Name(documentID)
        return waiting.removeValue(forKey: id)?.candidate ?? reported.removeValue(forKey: id)
    }

    /// What comes of a newer revision of the document counts.
    ///
    /// - Returns: the older one, if there was one.
    mutating func removeOlder(than candidate: PushCandidate) -> PushCandidate? {
        guard !waiting.isEmpty || !reported.isEmpty else { return nil }
        let id = Name(candidate.documentID)
        guard let old = waiting[id]?.candidate ?? reported[id], old.revision != candidate.revision else { return nil }
        return remove(candidate.documentID)
    }

    /// The pull has brought what the gateway has of the document.
    mutating func noteKnown(_ documentID: String) { waiting[Name(documentID)]?.isUnknown = false }

    /// Those that are due, of which the gateway's is not here, each once, in the order of their sequences.
    ///
    /// - Parameter active: the documents under way: they get an answer of their own.
    mutating func takeUnknown(at now: Instant, besides active: PushTable) -> [PushCandidate] {
        guard let due = reportTime, due <= now else { return [] }
        let unknown = waiting.values.filter { entry in
            entry.isUnknown && entry.reportTime <= now && !active.contains(entry.candidate.documentID)
        }
        let taken = unknown.map(\.candidate).sorted { $0.sequence < $1.sequence }.prefix(ActiveLimits.askedDocuments)
        for candidate in taken { noteKnown(candidate.documentID) }
        return Array(taken)
    }

    /// Those that wait no longer, in the order of their sequences; they count as reported.
    ///
    /// - Parameter active: the documents under way: they get an answer of their own.
    mutating func takeDue(at now: Instant, besides active: PushTable) -> [PushCandidate] {
        guard let due = reportTime, due <= now else { return [] }
        reportTime = nil
        var taken: [PushCandidate] = []
        for (id, entry) in waiting where !active.contains(id.text) {
            if entry.reportTime <= now {
                taken.append(entry.candidate)
            } else {
                reportTime = min(reportTime ?? .max, entry.reportTime)
            }
        }
        for candidate in taken {
            waiting[Name(candidate.documentID)] = nil
            reported[Name(candidate.documentID)] = candidate
        }
        return taken.sorted { $0.sequence < $1.sequence }
    }

    /// The document is not under way any more: if it waits, it has its time again.
    mutating func scheduleReport(of documentID: String) {
        guard !waiting.isEmpty, let entry = waiting[Name(documentID)] else { return }
        reportTime = min(reportTime ?? .max, entry.reportTime)
    }

    /// All that were not reported, in the order of their sequences.
    mutating func takeAll() -> [PushCandidate] {
        defer { self = PushConflicts() }
        return waiting.values.map(\.candidate).sorted { $0.sequence < $1.sequence }
    }
}

extension PushCandidate {
    /// Whether somebody has the same revision sent again since.
    fileprivate func asks(after old: PushCandidate) -> Bool { !isQuietRetry && sequence > old.sequence }
}
