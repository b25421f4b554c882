import DocumentStore
import DocumentValues
import FieldModels

/// The deleted records, here and by others. A deletion of this laptop can be taken back for a single record, whatever was
/// changed or sent since.
public struct Deletions: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let pages: DeletionPages
    let reversal: ChangeReversal
    let assignedWork: AssignedWork
    let submissions: Submissions
    let districts: Districts

    /// The records that were deleted, here or by others, and are not there again, the newest first. Of the deletions of
    /// this laptop it has those that the journal remembers.
    public func all() throws -> [DeletedRecord] {
        let own = try ownDeletions()
        let others = try elsewhere()
        let known = Set(others.map(\.reference))
        // One that others deleted after it had been deleted here, and brought back elsewhere, is theirs.
        let mine = own.filter { $0.isLast || !known.contains($0.record.reference) }.map(\.record)
        let taken = Set(mine.map(\.reference))
        return (mine + others.filter { !taken.contains($0.reference) }).sorted { $1.moment < $0.moment }
    }

    /// - Returns: with each whether the deletion that is there now is the one that was made here.
    private func ownDeletions() throws -> [(record: DeletedRecord, isLast: Bool)] {
        var seen: Set<RecordReference> = []
        var found: [(DeletedRecord, Bool)] = []
        let entries = try journal.entries().reversed()
        let sites = entries.flatMap { Self.deletedSites(by: $0) }
        let titles = RecordTitles(store, besides: try pages.kept().map(\.record) + sites)
        for entry in entries {
            let deleted = try entry.records.filter { seen.insert($0.reference).inserted }.filter(isDeleted)
            for record in deleted where !Self.goesWithInspection(record, among: deleted) {
                guard let before = record.before else { continue }
                let title = try titles.title(of: record.kind, before.body) ?? record.id
                let present = try collection(of: record.kind).exchange(of: record.id)
                found.append(
                    (
                        DeletedRecord(
                            kind: record.kind, id: record.id, title: title, moment: entry.author.moment,
                            body: before.body, change: entry.change), present?.revision == record.after
                    ))
            }
        }
        return found
    }

    /// Those that a change has deleted, as the records beside them name them.
    private static func deletedSites(by entry: JournalEntry) -> [DeletedRecord] {
        entry.records.compactMap { record in
            guard record.kind == .site, record.isDeletion, let body = record.before?.body,
                let name = body["name"]?.stringValue
            else { return nil }
            return DeletedRecord(kind: .site, id: record.id, title: name, moment: entry.author.moment, body: body)
        }
    }

    /// Whether the record was deleted by this change, and is not there now. A record that was taken from the laptop was
    /// not deleted.
    private func isDeleted(_ record: JournalRecord) throws -> Bool {
        guard record.isDeletion, record.before != nil else { return false }
        guard let present = try collection(of: record.kind).exchange(of: record.id) else { return record.after == nil }
        return present.isDeleted
    }

    /// A finding that was deleted with its inspection comes back with it.
    private static func goesWithInspection(_ record: JournalRecord, among deleted: [JournalRecord]) -> Bool {
        guard record.kind == .finding, let inspection = record.before?.body["inspection"]?.stringValue else {
            return false
        }
        return deleted.contains { $0.kind == .inspection && $0.id.isExactly(inspection) }
    }

    /// - Throws: `RecordActionError` where its inspection is deleted, or handed in.
    func checkMayComeBack(_ finding: Finding) throws {
        try InspectionTies.check(finding, among: collection(of: .inspection))
        try submissions.checkIsOpen(inspectionOf: finding)
    }

    /// Takes back a deletion that was made here, with the other records that it deleted. To be called in a transaction.
    ///
    /// - Throws: `RecordActionError` for a finding whose inspection is deleted, too, or handed in.
    func takeBack(_ record: DeletedRecord, deletedBy change: ChangeNumber, by author: Author) throws
        -> UndoneChange.Outcome
    {
        let entry = try journal.entries().first { $0.change == change }
        let deleted = try entry?.records.filter(isDeleted) ?? []
        let own = deleted.first { $0.kind == record.kind && $0.id.isExactly(record.id) }
        guard let entry, let own else { throw RecordActionError(.notFound, kind: record.kind, id: record.id) }
        if record.kind == .finding {
            try checkMayComeBack(Finding(id: record.id, object: record.body))
        }
        var outcome = UndoneChange.Outcome.broughtBack
        var renamed: [RenamedVersion] = []
        let opened = try entry.records.filter { try entry.opens($0) && !assignedWork.isLeftOpen($0, of: entry) }
        for each in (deleted + opened).reversed() {
            let result = try reversal.takeBack(each, by: author, renamed: &renamed)
            if each.reference == own.reference { outcome = result }
        }
        if own.kind == .inspection { try assignedWork.closeAssignment(ofReturned: own.id, by: author) }
        try journal.forget(entry)
        try journal.rename(renamed)
        return outcome
    }
}
