import DocumentValues
import FieldModels
import FieldRecords

/// The advice for the day's work: a sentence for each group, and for each of the other lists.
struct TodayNotes {
    let work: TodaysWork
    /// The placeholder for a record in the next command: `NUMBER` or `ID`.
    let name: String

    /// The advice for inspections to begin, and to go on with.
    var beginnings: [String] {
        var notes: [String] = []
        if (work.overdue + work.due + work.coming).contains(where: { work.begun[assignment: $0.id] == nil }) {
            notes.append("Begin with one: start \(name)")
        }
        let begun = [work.drafts.isEmpty ? nil : "a draft", work.returned.isEmpty ? nil : "what was returned"]
            .compactMap(\.self)
        if !begun.isEmpty { notes.append("Go on with \(begun.joined(separator: ", or ")): edit \(name)") }
        if !(work.begunForms + work.returnedForms).isEmpty { notes.append("Go on with a form: fill \(name)") }
        return notes
    }

    /// The news about changes by others.
    var news: [String] {
        var notes: [String] = []
        if !work.closedByOthers.isEmpty {
            notes.append("Ask who has closed it. If it is still to be done, open it again: edit \(name) status=open")
        }
        if !work.changedByOthers.isEmpty {
            notes.append(
                "See what others have changed, and what it was before: log \(name). "
                    + Self.more(work.changedByOthers.count, in: "list --changed"))
        }
        if !work.deletedByOthers.isEmpty {
            notes.append(
                "See what was deleted: show \(name). Bring it back: undo \(name). "
                    + Self.more(work.deletedByOthers.count, in: "list --deleted"))
        }
        return notes
    }

    var approvals: [String] {
        var notes: [String] = []
        if !work.submitted.isEmpty {
            notes.append(
                "A supervisor accepts what was submitted, or sends it back: approve \(name), or return \(name) REASON")
        }
        if !work.changedApprovals.isEmpty { notes.append("See what: show \(name). " + ApprovalText.advice(name)) }
        return notes
    }

    /// The notes about other lists.
    var elsewhere: [String] {
        var notes: [String] = []
        if work.refused > 0 { notes.append("The gateway refused \(work.refused.of("record")): outbox") }
        if work.quarantined > 0 {
            notes.append("\(work.quarantined.of("edit")) of yours in quarantine: quarantine")
        }
        if work.conflicts > 0 {
            notes.append("\(work.conflicts.of("record")) with something to decide: conflicts")
        }
        if work.unsent > 0 { notes.append("\(work.unsent.of("record")) here the gateway does not have yet: sync") }
        return notes
    }

    /// The day's work shows only some of the unread news, so that the tasks stay in sight.
    private static func more(_ count: Int, in list: String) -> String {
        let rest = count - ShellLimits.newsOfTheDay
        return rest > 0 ? "There \(rest == 1 ? "is" : "are") \(rest.grouped) more: \(list)" : "All of it: \(list)"
    }
}
