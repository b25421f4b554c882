import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Replication

/// Adds up the notes of a folder's replicators, and makes reports of them.
struct SyncTally {
    private let environment: SyncEnvironment
    private let recorder = SyncRecorder()
    private var start = ContinuousClock.now
    /// The number of edits in the quarantine at the last report.
    private var keptBefore: Int

    init(_ environment: SyncEnvironment) throws {
        self.environment = environment
        keptBefore = try environment.field.database.quarantinedDocumentCount()
    }

    func listen(to replicator: Replicator) -> [ListenerToken] {
        [
            replicator.addDocumentReplicationListener { [recorder] in recorder.add($0) },
            replicator.addConflictListener { [recorder] in recorder.add($0) },
            replicator.addAttachmentListener { [recorder] in recorder.add($0) },
        ]
    }

    private var field: FieldDatabase { environment.field }

    /// The time of the next report counts from now on.
    mutating func restartClock() { start = ContinuousClock.now }

    /// Returns the report since the last call.
    mutating func take() throws -> SyncReport {
        let taken = recorder.take()
        do {
            return try report(taken)
        } catch {
            // The next report will have these counts.
            recorder.giveBack(taken)
            throw error
        }
    }

    /// Those that were sent back to the user.
    private func returned(among pulled: [RecordReference]) throws -> [ReturnedInspection] {
        let returns = try ReturnedInspections(to: environment.author().name, in: field)
        return try returns.among(pulled.filter { $0.kind == .inspection }.map(\.id))
            + returns.amongResponses(pulled.filter { $0.kind == .response }.map(\.id))
    }

    /// Those that no sync has named before.
    private func new(among returned: [ReturnedInspection]) throws -> [ReturnedInspection] {
        func ids(_ kind: RecordKind) -> [String] { returned.map(\.reference).filter { $0.kind == kind }.map(\.id) }
        let inspections = try field.work.noteReturns(of: ids(.inspection))
        let forms = try field.work.noteReturns(ofResponses: ids(.response))
        return returned.filter { record in
            (record.reference.kind == .response ? forms : inspections).containsExactly(record.reference.id)
        }
    }

    mutating func report(_ taken: SyncRecorder.Notes) throws -> SyncReport {
        let kept = try field.database.quarantinedDocumentCount()
        var report = taken.report
        report.sentPhotos = try taken.sentPhotos.counted(in: field)
        report.records.deleted = try named(taken.deleted)
        // A gateway also reports deletions of records that were never on this laptop or that were deleted on it; these are
        // not counted. If there are very many, not all of them are kept, so they cannot be counted.
        if taken.deleted.count <= FieldRecordsLimits.deletedElsewhere {
            report.counts.pulledDeletions = Dictionary(grouping: report.records.deleted, by: \.reference.kind)
                .mapValues(\.count)
        }
        if !report.counts.purged.isEmpty { try forgetRemoved() }
        report.records.merged = try MergedRecords(environment).all(taken.resolved)
        report.counts.undecided = try field.undecided(
            among: Set(taken.pulled).subtracting(taken.resolved), for: environment.author().name)
        let inspections = taken.pulled.filter { $0.kind == .inspection }.map(\.id)
        let returned = try returned(among: taken.pulled)
        let touched = taken.pulled + taken.pushed + taken.resolved + taken.deleted
        report.records.followed = try followed(touchedBy: touched)
        report.records.handedOver = try handedOver(among: taken.pulled.filter { $0.kind == .assignment }.map(\.id))
        report.records.repeated = try repeated(among: inspections)
        report.records.changedApprovals = try changedApprovals(touchedBy: touched)
        let changed = try field.receivedChanges.all(of: environment.author().name).filter { $0.notice == .new }
        report.records.changedByOthers = try SyncReport.named(changed, in: field)
        try explainFailures(of: &report)
        // Noted only now, behind the calls that are likely to fail: a change that is noted as named must be in a
        // report.
        try field.receivedChanges.note(changed, as: .named)
        report.records.returned = try new(among: returned)
        report.waiting.quarantined = max(0, kept - keptBefore)
        keptBefore = kept
        report.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return report
    }

    /// The laptop's journal must not keep records that were purged from the laptop.
    private func forgetRemoved() throws {
        try field.history.forgetRemovedRecords()
        try field.deletions.forgetRevoked()
        try field.folder.eraseHistory()
    }

    private func explainFailures(of report: inout SyncReport) throws {
        let refused = try field.outbox.all()
        report.leaveOut(refused.filter { $0.awaits != .decision })
        let gone = try report.failures.map(\.reference).filter { try field.isGone($0) }
        report.forgetSettled(refused, gone: Set(gone))
        try report.explain(refused, in: field)
    }

    /// Assignments that the user has begun and that are now assigned to another user: without a notice, both would do
    /// the work.
    private func handedOver(among ids: [String]) throws -> [SyncReport.NamedRecord] {
        guard let name = try environment.author().name else { return [] }
        let assignments = try ids.compactMap { try field.assignments.findReadable($0) }
            .filter { $0.status == .open && !$0.inspector.isExactly(name) }
        guard !assignments.isEmpty else { return [] }
        // A sync may bring thousands of assignments, so the inspections are read once for all of them.
        let begun = try field.work.begunInspections(for: name)
        let titles = TitleWithSite(field.deletions)
        return try assignments.compactMap { assignment in
            guard let inspection = begun[assignment: assignment.id], inspection.isWork(of: name) else { return nil }
            let reference = RecordReference(.assignment, id: assignment.id)
            let title = "\(reference.shortID), \(try titles.title(reference))"
            let draft = RecordReference.short(inspection.id, kind: .inspection)
            let work = HandedOverWork(assignment: title, inspector: assignment.inspector, begun: draft)
            return SyncReport.NamedRecord(reference: reference, line: environment.wording.handedOver(work))
        }
    }

    /// Assignments that two laptops have begun without knowing of each other.
    private func repeated(among ids: [String]) throws -> [SyncReport.NamedRecord] {
        guard let name = try environment.author().name else { return [] }
        let titles = TitleWithSite(field.deletions)
        return try field.work.repeatedWork(of: name, touchedBy: ids).map { work in
            let title = try titles.title(work.assignment)
            let inspections = work.inspections.map {
                "\(RecordReference.short($0.id, kind: .inspection)) (\($0.status.rawValue))"
            }
            return SyncReport.NamedRecord(
                reference: work.assignment,
                line: "\(work.assignment.shortID)\(title.isEmpty ? "" : ", \(title)"): "
                    + inspections.joined(separator: ", "))
        }
    }

    /// Moves the findings of moved inspections; the next exchange sends them.
    private func followed(touchedBy references: [RecordReference]) throws -> [SyncReport.NamedRecord] {
        let titles = TitleWithSite(field.deletions)
        return try field.moves.bringFindingsAlong(touchedBy: references, by: environment.author()).map { reference in
            SyncReport.NamedRecord(
                reference: reference, line: "\(reference.shortID), \(try titles.title(reference))")
        }
    }

    /// The approved inspections that have changed since the approval, if a sync concerned them or their findings.
    private func changedApprovals(touchedBy references: [RecordReference]) throws -> [SyncReport.NamedRecord] {
        func names(_ kind: RecordKind) -> Set<Name> {
            Set(references.filter { $0.kind == kind }.map { Name($0.id) })
        }
        let (inspections, findings) = (names(.inspection), names(.finding))
        guard !inspections.isEmpty || !findings.isEmpty else { return [] }
        let titles = TitleWithSite(field.deletions)
        return try field.lifeCycle.changedApprovals().filter { changes in
            inspections.contains(Name(changes.inspection.id)) || changes.concerns(findings)
        }.map { changes in
            let reference = RecordReference(.inspection, id: changes.inspection.id)
            return SyncReport.NamedRecord(
                reference: reference,
                line: "\(reference.shortID), \(try titles.title(reference)): \(changes.counts)")
        }
    }

    /// Deleted records that are kept and have not come back since. Records that hide the user's own ones come first.
    private func named(_ deleted: [RecordReference]) throws -> [SyncReport.NamedRecord] {
        guard !deleted.isEmpty else { return [] }
        let kept = try field.deletions.elsewhere()
        let hidden = try hiddenFindings(with: Set(deleted), among: kept)
        let lines = Dictionary(kept.map { ($0.reference, $0.line) }, uniquingKeysWith: { first, _ in first })
        return hidden
            + deleted.compactMap { reference in
                lines[reference].map { SyncReport.NamedRecord(reference: reference, line: $0) }
            }
    }

    private func hiddenFindings(
        with references: Set<RecordReference>, among kept: [DeletedRecord]
    ) throws -> [SyncReport.NamedRecord] {
        guard let user = try environment.author().name else { return [] }
        return try field.deletions.hiddenFindings(with: kept.filter { references.contains($0.reference) }, madeBy: user)
            .map { SyncReport.NamedRecord(reference: $0.reference, line: $0.line) }
    }
}

extension FieldDatabase {
    /// How many of these records need a person's decision.
    func undecided(among references: Set<RecordReference>, for user: String?) throws -> [RecordKind: Int] {
        var counts: [RecordKind: Int] = [:]
        for (kind, group) in Dictionary(grouping: references, by: \.kind) {
            let count = try conflicts.count(of: kind, group.map(\.id), for: user)
            if count > 0 { counts[kind] = count }
        }
        return counts
    }

    /// Whether this laptop knows neither the record nor its deletion.
    fileprivate func isGone(_ record: RecordReference) throws -> Bool {
        try collection(of: record.kind).exchange(of: record.id) == nil
    }
}

extension SyncReport {
    /// The changes of other users, in a text for people.
    public static func named(_ changes: [ChangesByOthers], in field: FieldDatabase) throws -> [NamedRecord] {
        let titles = TitleWithSite(field.deletions)
        return try changes.map { change in
            NamedRecord(reference: change.record, line: change.line(title: try titles.title(change.record)))
        }
    }
}
