import DocumentStore
import DocumentValues
import FieldModels

/// The history of records, here and elsewhere: takes back the last change, and gives the log of each record.
public struct History: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let reversal: ChangeReversal
    let assignedWork: AssignedWork
    let deletions: Deletions
    let receivedChanges: ReceivedChanges
    let outbox: Outbox

    /// The change that `undo` would take back.
    ///
    /// - Parameter record: the one whose last change is meant; `nil` for the last change of all.
    /// - Throws: `UndoError` where nothing can be.
    public func pendingUndo(of record: RecordReference? = nil) throws -> PendingUndo {
        let entry = try lastChange(of: record)
        var losses = UndoLosses()
        for record in try whatGoesBack(entry) {
            try check(record, by: entry.author)
            guard let before = record.before, let present = try reversal.body(of: record) else { continue }
            losses.add(record.reference, before: before.body, present: present)
        }
        return PendingUndo(entry, losses: losses)
    }

    private func lastChange(of record: RecordReference?) throws -> JournalEntry {
        if let record {
            // The other records that it changed have to be as it left them, too.
            let entry = try journal.entries().last { entry in entry.records.contains { $0.reference == record } }
            guard let entry else { throw UndoError(code: .nothingOf(record)) }
            return entry
        }
        guard let entry = try journal.last() else { throw UndoError(code: .nothing) }
        guard !entry.records.isEmpty else { throw UndoError(code: .notKept(title: entry.title)) }
        return entry
    }

    /// Takes back the last change of this laptop, as long as its records are as it left them. An edit changes sent records
    /// back, except records that were new to the gateway and inspections that are handed in: these stay. A deletion can be
    /// taken back at any time: the former content becomes a new version after the deletion, which is sent like any other.
    ///
    /// - Parameters:
    ///   - author: the person who edits sent records, or brings back records that others know; these name the author as
    ///     the one who changed them last.
    ///   - seen: the change that a person has agreed to take back; `nil` for the last one, whichever it is.
    ///   - record: as of `pendingUndo`.
    /// - Throws: `UndoError`; nothing is changed then.
    public func undo(
        by author: Author, seen: PendingUndo? = nil, of record: RecordReference? = nil
    ) throws -> UndoneChange {
        try database.inBatch {
            let entry = try lastChange(of: record)
            if let seen, seen.change != entry.change { throw UndoError(code: .otherChange) }
            let going = try whatGoesBack(entry)
            for record in going { try check(record, by: entry.author) }
            var records: [UndoneChange.Record] = []
            var renamed: [RenamedVersion] = []
            for record in going.reversed() {
                let present = try reversal.body(of: record)
                let outcome = try reversal.takeBack(record, by: author, renamed: &renamed)
                let now = outcome.isRestored ? try reversal.body(of: record) : nil
                let changes = present.flatMap { old in now.map { RecordDifference.lines(from: old, to: $0) } }
                if let present, let now { try receivedChanges.reopen(record.reference, from: present, to: now) }
                if record.isDeletion, record.kind == .inspection {
                    try assignedWork.closeAssignment(ofReturned: record.id, by: author)
                }
                records.append(
                    UndoneChange.Record(kind: record.kind, id: record.id, outcome: outcome, changes: changes ?? []))
            }
            try journal.forget(entry)
            try journal.rename(renamed)
            try deletions.bringBackTiedFindings(by: author)
            return UndoneChange(title: entry.title, moment: entry.author.moment, records: records.reversed())
        }
    }

    private func whatGoesBack(_ entry: JournalEntry) throws -> [JournalRecord] {
        try entry.records.filter { try !assignedWork.isLeftOpen($0, of: entry) }
    }

    /// - Parameter author: of the change.
    private func check(_ record: JournalRecord, by author: Author) throws {
        let present = try collection(of: record.kind).exchange(of: record.id)
        guard present?.revision == record.after else {
            throw UndoError(code: .changedSince(record.kind, record.id))
        }
        guard let present else { return }
        // A new one of which a version was sent cannot go without a trace any more, also where more was typed since.
        if record.before == nil, present.isKnownToRemotes {
            throw UndoError(
                code: try reversal.obstacle(toTakingBack: record, by: author) ?? .sent(record.kind, record.id))
        }
        guard present.isSent, !present.isDeleted else { return }
        if let code = try reversal.obstacle(toTakingBack: record, by: author) { throw UndoError(code: code) }
        if let name = try reversal.missingPhoto(of: record) { throw UndoError(code: .photoMissing(name)) }
    }

    /// Removes records that a sync has taken from the laptop from its journal, too, and from the lists of deletions and
    /// changes by others.
    public func forgetRemovedRecords() throws {
        try journal.forgetRecords { record in
            // No gateway has taken a record that was deleted before it was sent.
            guard record.after != nil else { return false }
            return try collection(of: record.kind).exchange(of: record.id) == nil
        }
        try deletions.forget { try collection(of: $0.kind).exchange(of: $0.id) == nil }
        try receivedChanges.forgetAbsentRecords()
    }
}
