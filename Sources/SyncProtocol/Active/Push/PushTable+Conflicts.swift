import DocumentValues

/// Documents whose push was refused because the gateway has another branch of them. Usually the pull brings that branch.
/// If it does not, perhaps because the user may not see the branch or because it came long ago, the conflict is reported
/// after a while.
extension PushTable {
    /// The pull has brought the gateway's revision of the document, or has requested it.
    mutating func noteKnown(_ handle: Handle) {
        guard case .inConflict(var conflict) = self[handle].stage else { return }
        conflict.isUnknown = false
        move(handle, to: .inConflict(conflict))
    }

    /// Due conflicts for which this side does not have the gateway's revision, each once, in the order of their
    /// sequences.
    mutating func takeUnknownConflicts(at now: Instant) -> [PushCandidate] {
        guard let time = reportTime, time <= now else { return [] }
        let unknown = conflicts.filter { handle in
            guard case .inConflict(let conflict) = self[handle].stage else { return false }
            return conflict.isUnknown && conflict.reportTime <= now
        }
        let taken = sorted(unknown).prefix(ActiveLimits.askedDocuments)
        for handle in taken { noteKnown(handle) }
        return taken.map { self[$0].candidate }
    }

    /// Conflicts that have waited long enough, in the order of their sequences; they count as reported.
    mutating func takeDueConflicts(at now: Instant) -> [PushCandidate] {
        guard let time = reportTime, time <= now else { return [] }
        var due: Set<Handle> = []
        reportTime = nil
        for handle in conflicts {
            guard case .inConflict(let conflict) = self[handle].stage else { continue }
            if conflict.reportTime <= now {
                due.insert(handle)
            } else {
                reportTime = min(reportTime ?? .max, conflict.reportTime)
            }
        }
        return reported(due)
    }

    /// All conflicts that were not reported, in the order of their sequences.
    mutating func takeAllConflicts() -> [PushCandidate] { reported(conflicts) }

    private mutating func reported(_ due: Set<Handle>) -> [PushCandidate] {
        let ordered = sorted(due)
        for handle in ordered { rest(handle, at: .reported) }
        return ordered.map { self[$0].candidate }
    }

    /// In the order of their sequences.
    func sorted(_ handles: Set<Handle>) -> [Handle] {
        handles.sorted { self[$0].candidate.sequence < self[$1].candidate.sequence }
    }
}
