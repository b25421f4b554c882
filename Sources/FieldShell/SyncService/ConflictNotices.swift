import DocumentValues
import FieldRecords
import FieldSync

/// Notifies of conflicts once: the report of a sync names those that it found, and a prompt the others.
struct ConflictNotices {
    let session: ShellSession

    /// The prompt need not name again what the report of a sync has named.
    func note(_ report: SyncReport) throws {
        let new = report.contested + report.counts.undecided.values.reduce(0, +)
        guard new > 0 else { return }
        let named = session.noticed.conflictCount.named
        let open = try OpenConflicts(session: session).all().count
        session.noticed.conflictCount = .known(max(named, min(open, named + new)))
    }

    /// Notifies of additional conflicts.
    ///
    /// - Returns: the number of open ones, which stays in the prompt; `nil` for none, or if they cannot be read.
    func mark() -> String? {
        let former = session.noticed.conflictCount
        do {
            let count = try OpenConflicts(session: session).all().count
            if count > former.named { session.dialogue.show(ConflictText.note(count)) }
            session.noticed.conflictCount = .known(count)
            return count > 0 ? count.of("conflict") : nil
        } catch {
            // A prompt cannot fail. It names the error once, not at every line.
            let error = ErrorText.text(error)
            if !former.isUnreadable(because: error) {
                session.dialogue.show("What is to be decided cannot be read: \(error)".printable)
            }
            session.noticed.conflictCount = .unreadable(error, since: former.named)
            return nil
        }
    }
}
