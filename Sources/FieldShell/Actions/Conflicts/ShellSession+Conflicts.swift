import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

extension ShellSession {
    /// The conflicts that the user is asked to decide now.
    func conflicts() throws -> [RecordConflict] {
        var questions = try OpenQuestions(of: settings().user, in: field().store)
        return try conflictsOfAll().compactMap { try questions.about($0) }
    }

    /// The conflicts that any user still has to decide.
    func conflictsOfAll() throws -> [RecordConflict] { try noticed.conflicts.conflicts(in: field().store) }

    /// A sync names the conflicts that it found; the prompt need not do so again.
    func noteConflicts(of report: SyncReport) throws {
        let new = report.contested + report.counts.undecided.values.reduce(0, +)
        guard new > 0 else { return }
        let named = noticed.conflictCount.named
        noticed.conflictCount = .known(max(named, min(try conflicts().count, named + new)))
    }

    /// Notifies of additional conflicts; the number of open ones stays in the prompt.
    func conflictMark() -> String? {
        let former = noticed.conflictCount
        do {
            let count = try conflicts().count
            if count > former.named { dialogue.show(ConflictText.note(count)) }
            noticed.conflictCount = .known(count)
            return count > 0 ? count.of("conflict") : nil
        } catch {
            // A prompt cannot fail. It names the error once, not at every line.
            let error = ErrorText.text(error)
            if !former.isUnreadable(because: error) {
                dialogue.show("What is to be decided cannot be read: \(error)".printable)
            }
            noticed.conflictCount = .unreadable(error, since: former.named)
            return nil
        }
    }
}
