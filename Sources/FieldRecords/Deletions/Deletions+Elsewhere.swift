import DocumentStore
import DocumentValues
import FieldModels

/// Deletions by others: the deleted records are kept for a while, because a deletion itself has no content.
extension Deletions {
    /// The records that others have deleted and that were not brought back, the newest first.
    public func elsewhere() throws -> [DeletedRecord] {
        var seen: Set<RecordReference> = []
        return try pages.kept().reversed().compactMap { kept in
            let record = kept.record
            guard seen.insert(record.reference).inserted,
                let exchange = try collection(of: record.kind).exchange(of: record.id), exchange.isDeleted
            else { return nil }
            return DeletedRecord(
                kind: record.kind, id: record.id, title: record.title,
                moment: Timestamp(secondsSince1970: Int64(exchange.date)), body: record.body, isSeen: record.isSeen)
        }
    }

    /// The user's records that others have deleted in the last weeks and that no list of deletions has shown, and the user's
    /// findings that are hidden by that. Findings that were deleted with their inspection come back with it, and are not
    /// named beside it.
    func unseen(of user: String?, on today: CalendarDay) throws -> [DeletedRecord] {
        guard let user else { return [] }
        let first = Int64(today.adding(days: -FieldRecordsLimits.daysOfChangesByOthers).daysSince1970) * 86_400
        let deleted = try elsewhere()
        let inspections = Set(deleted.filter { $0.kind == .inspection }.map { Name($0.id) })
        let recent = try (deleted + hiddenFindings(with: deleted, madeBy: user)).filter {
            !$0.isSeen && $0.isWork(of: user) && $0.moment.secondsSince1970 >= first
        }
        return recent.filter { record in
            guard record.kind == .finding, record.hiddenWith == nil,
                let inspection = record.body["inspection"]?.stringValue
            else { return true }
            return !inspections.contains(Name(inspection))
        }
    }

    /// Notes that a person has seen in a list that these are deleted.
    public func noteSeen(_ deleted: [DeletedRecord]) throws {
        let unseen = Set(deleted.filter { !$0.isOwn && !$0.isSeen }.map { $0.hiddenWith ?? $0.reference })
        guard !unseen.isEmpty else { return }
        try database.inBatch { try pages.noteSeen(unseen) }
    }

    /// The user's records that others have deleted, and the user's findings that are hidden by that, after a sequence
    /// number of this laptop.
    ///
    /// - Parameter sequence: is set to the last one, unless a record is still there: a sync keeps a record a moment before it
    ///   deletes it.
    public func new(of user: String, after sequence: inout UInt64) throws -> [DeletedRecord] {
        var kept: Set<RecordReference> = []
        let last = try pages.collection.forEachBody(changedAfter: sequence) { _, body in
            guard let page = body.flatMap({ DeletionPage($0) }), !page.isTied, !page.isSeen else { return }
            kept.insert(RecordReference(page.kind, id: page.id))
        }
        if try kept.allSatisfy({ try !isThere($0.kind, id: $0.id) }) { sequence = last }
        guard !kept.isEmpty else { return [] }
        let deleted = try elsewhere().filter { kept.contains($0.reference) }
        return try deleted.filter { $0.isWork(of: user) } + hiddenFindings(with: deleted, madeBy: user)
    }

    /// Makes it a record again, which is sent to the gateway like any other. From then on it belongs to the person who
    /// brings it back.
    ///
    /// - Throws: `RecordActionError` where it is there already, and for a finding whose inspection is deleted, too, or handed
    ///   in.
    public func bringBack(_ record: DeletedRecord, by author: Author) throws -> UndoneChange.Outcome {
        try database.inBatch {
            guard try !isThere(record.kind, id: record.id) else {
                throw RecordActionError(.exists, kind: record.kind, id: record.id)
            }
            if let change = record.change {
                let outcome = try takeBack(record, deletedBy: change, by: author)
                try bringBackTiedFindings(by: author)
                return outcome
            }
            if record.kind == .finding { try checkMayComeBack(Finding(id: record.id, object: record.body)) }
            let outcome = try reversal.bringBack(record.kind, id: record.id, body: record.body, by: author)
            try forget { $0.kind == record.kind && $0.id.isExactly(record.id) }
            // Earlier changes may be of the version that came back.
            try journal.noteWhole("undo of a deletion by others", by: author)
            try bringBackTiedFindings(by: author)
            return outcome
        }
    }

    /// Brings back the findings that were deleted weeks after their inspection, if any user has brought the inspection
    /// back: no person has deleted these findings.
    ///
    /// - Returns: how many.
    @discardableResult
    public func bringBackTiedFindings(by author: Author) throws -> Int {
        try database.inBatch {
            var count = 0
            for kept in try pages.kept() where kept.record.isTied {
                guard let inspection = kept.record.body["inspection"]?.stringValue,
                    try isThere(.inspection, id: inspection)
                else { continue }
                try pages.purge(kept.key)
                guard try !isThere(.finding, id: kept.record.id) else { continue }
                _ = try reversal.bringBack(.finding, id: kept.record.id, body: kept.record.body, by: author)
                count += 1
            }
            return count
        }
    }

    /// Forgets the records that were brought back, which are not deleted any more. Not during a sync, which stores a
    /// record's content a moment before it deletes the record.
    public func forgetReturned() throws { try forget { try isThere($0.kind, id: $0.id) } }

    func forget(where isOver: (DeletedRecord) throws -> Bool) throws { try pages.forget(where: isOver) }
}
