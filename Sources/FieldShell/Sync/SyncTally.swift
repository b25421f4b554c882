import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication
import Synchronization

/// Adds up what replicators do with a folder's records.
struct SyncTally {
    private let session: ShellSession
    private let field: FieldDatabase
    private let recorder = SyncRecorder()
    private var start = ContinuousClock.now
    /// How many edits were kept aside when that was last looked at.
    private var keptBefore: Int

    init(_ session: ShellSession) throws {
        self.session = session
        field = try session.field()
        keptBefore = try field.quarantine().count
        try field.forgetChangesOfRemovedRecords()
        try field.forgetReturnedRecords()
        try field.deleteFindingsOfDeletedInspections(by: session.author())
    }

    func listen(to replicator: Replicator) -> [ListenerToken] {
        [
            replicator.addDocumentReplicationListener { [recorder] in recorder.add($0) },
            replicator.addConflictListener { [recorder] in recorder.add($0) },
            replicator.addAttachmentListener { [recorder] in recorder.add($0) },
        ]
    }

    /// Time counts from now on.
    mutating func restartClock() { start = ContinuousClock.now }

    /// What has happened since the last time.
    mutating func take() throws -> SyncReport {
        let kept = try field.quarantine().count
        let taken = recorder.take()
        var report = taken.report
        report.sentPhotos = try taken.sentPhotos.counted(in: field)
        report.deleted = try named(taken.deleted)
        if !report.purged.isEmpty {
            try field.forgetChangesOfRemovedRecords()
            try field.forgetRevokedDeletions()
        }
        report.merged = try MergedRecords(session).all(taken.resolved)
        report.undecided = try field.undecided(among: Set(taken.pulled).subtracting(taken.resolved))
        report.returned = try ReturnedInspections(session).among(
            taken.pulled.filter { $0.kind == .inspection }.map(\.id))
        report.changedApprovals = try changedApprovals(
            touchedBy: taken.pulled + taken.pushed + taken.resolved + taken.deleted)
        let refused = try field.refusedRecords()
        report.leaveOut(refused.filter(\.isKept))
        let gone = try report.failures.map(\.reference).filter { try field.isGone($0) }
        report.forgetSettled(refused, gone: Set(gone))
        try report.explainRefusals(field)
        report.quarantined = max(0, kept - keptBefore)
        keptBefore = kept
        report.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return report
    }

    /// The approved inspections that differ from what was approved, if a sync had to do with either.
    private func changedApprovals(touchedBy references: [RecordReference]) throws -> [SyncReport.NamedRecord] {
        func names(_ kind: RecordKind) -> Set<Name> {
            Set(references.filter { $0.kind == kind }.map { Name($0.id) })
        }
        let (inspections, findings) = (names(.inspection), names(.finding))
        guard !inspections.isEmpty || !findings.isEmpty else { return [] }
        let place = RecordPlace(field)
        return try field.changedApprovals().filter { changes in
            inspections.contains(Name(changes.inspection.id)) || changes.concerns(findings)
        }.map { changes in
            let reference = RecordReference(.inspection, id: changes.inspection.id)
            return SyncReport.NamedRecord(
                reference: reference,
                line: "\(reference.shortID), \(try place.title(reference)): \(changes.counts)")
        }
    }

    /// What of it is kept, and has not come back meanwhile.
    private func named(_ deleted: [RecordReference]) throws -> [SyncReport.NamedRecord] {
        guard !deleted.isEmpty else { return [] }
        let kept = try field.recordsDeletedElsewhere()
        let lines = Dictionary(kept.map { ($0.reference, $0.line) }, uniquingKeysWith: { first, _ in first })
        return deleted.compactMap { reference in
            lines[reference].map { SyncReport.NamedRecord(reference: reference, line: $0) }
        }
    }
}

/// Counts what a replicator reports of its documents; its listeners call it from their own queue.
private final class SyncRecorder: Sendable {
    private struct Notes {
        var report = SyncReport()
        var sentPhotos = SentPhotos()
        /// Records that came, each once, in their order.
        var pulled: [RecordReference] = []
        /// Records that went, as often as they did.
        var pushed: [RecordReference] = []
        var resolved: [RecordReference] = []
        var deleted: [RecordReference] = []

        mutating func add(pulled reference: RecordReference, _ flags: DocumentFlags) {
            if flags == .deleted { deleted.append(reference) }
            if flags.contains(.accessRemoved) { sentPhotos.add(reference, isAccepted: false) }
            if flags.isEmpty { pulled.append(reference) }
        }
    }

    private let notes = Mutex(Notes())

    func add(_ replication: DocumentReplication) {
        notes.withLock { notes in
            for document in replication.documents {
                notes.report.add(document, isPush: replication.isPush)
                guard let kind = RecordKind(document.scope, collection: document.collection) else { continue }
                let reference = RecordReference(kind, id: document.id)
                if replication.isPush {
                    notes.sentPhotos.add(reference, isAccepted: document.error == nil)
                    if document.error == nil { notes.pushed.append(reference) }
                } else if document.error == nil {
                    notes.add(pulled: reference, document.flags)
                }
            }
        }
    }

    func add(_ attachment: TransferredAttachment) {
        notes.withLock { notes in
            if attachment.isPush {
                notes.sentPhotos.add(attachment.digest, bytes: attachment.bytes)
            } else {
                notes.report.receivedPhotos.add(1, bytes: attachment.bytes)
            }
        }
    }

    func add(_ conflict: ResolvedDocumentConflict) {
        guard let kind = RecordKind(conflict.scope, collection: conflict.collection) else { return }
        notes.withLock { $0.resolved.append(RecordReference(kind, id: conflict.id)) }
    }

    func take() -> Taken {
        notes.withLock { notes in
            defer { notes = Notes() }
            return Taken(
                report: notes.report, sentPhotos: notes.sentPhotos, pulled: notes.pulled.uniqued { $0 },
                pushed: notes.pushed, resolved: notes.resolved.uniqued { $0 }, deleted: notes.deleted.uniqued { $0 })
        }
    }

    struct Taken {
        let report: SyncReport
        let sentPhotos: SentPhotos
        let pulled: [RecordReference]
        let pushed: [RecordReference]
        let resolved: [RecordReference]
        let deleted: [RecordReference]
    }
}

extension Array {
    /// Each element once, compared by what `key` makes of it.
    fileprivate func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension RecordKind {
    fileprivate init?(_ scope: String, collection: String) {
        guard let name = try? CollectionName(scope: scope, name: collection) else { return nil }
        self.init(collection: name)
    }
}

extension SyncReport {
    fileprivate mutating func add(_ document: ReplicatedDocument, isPush: Bool) {
        guard let kind = RecordKind(document.scope, collection: document.collection) else { return }
        if let error = document.error {
            let code = (error as NSError).code
            let reason = (error as? ReplicationError)?.message ?? "\(error)"
            failures.append(
                Failure(
                    isPush: isPush, reference: RecordReference(kind, id: document.id),
                    words: isPush
                        ? RefusalText.words(code: code, reason: reason)
                        : RefusalText.words(ofFetch: code, reason: reason), code: code, reason: reason))
        } else if document.flags.contains(.accessRemoved) {
            // A gateway may announce again a record that an earlier sync took.
            if document.wasHere { purged[kind, default: 0] += 1 }
        } else if document.flags.contains(.deleted) {
            if isPush { pushedDeletions[kind, default: 0] += 1 } else { pulledDeletions[kind, default: 0] += 1 }
        } else if isPush {
            pushed[kind, default: 0] += 1
        } else {
            pulled[kind, default: 0] += 1
        }
    }

    /// A refusal that somebody knows of is no news.
    fileprivate mutating func leaveOut(_ known: [RefusedRecord]) {
        let known = Set(known.compactMap { record in record.kind.map { RecordReference($0, id: record.documentID) } })
        failures.removeAll { $0.isPush && known.contains($0.reference) }
    }

    /// What happened first and what happened then, as one.
    mutating func add(_ later: SyncReport) {
        pushed.merge(later.pushed, uniquingKeysWith: +)
        pulled.merge(later.pulled, uniquingKeysWith: +)
        purged.merge(later.purged, uniquingKeysWith: +)
        pushedDeletions.merge(later.pushedDeletions, uniquingKeysWith: +)
        pulledDeletions.merge(later.pulledDeletions, uniquingKeysWith: +)
        deleted += later.deleted
        failures += later.failures
        sentPhotos.add(later.sentPhotos.count, bytes: later.sentPhotos.bytes)
        receivedPhotos.add(later.receivedPhotos.count, bytes: later.receivedPhotos.bytes)
        merged += later.merged
        undecided.merge(later.undecided, uniquingKeysWith: +)
        returned += later.returned
        let known = Set(later.changedApprovals.map(\.reference))
        changedApprovals = changedApprovals.filter { !known.contains($0.reference) } + later.changedApprovals
        quarantined += later.quarantined
        secondsAhead = later.secondsAhead ?? secondsAhead
        milliseconds = later.milliseconds
    }

    /// Nothing at all has happened.
    var isEmpty: Bool {
        [pushed, pulled, purged, pushedDeletions, pulledDeletions].allSatisfy(\.isEmpty) && failures.isEmpty
            && merged.isEmpty && quarantined == 0 && sentPhotos.count + receivedPhotos.count == 0
    }

    /// Pushes that were refused, and about which nothing is to be done any more: because of a change on the other side,
    /// which has since been put together with ours, or in a run in which the record was taken away later. Which of a
    /// record's push and its revocation comes first is chance, and the edit is in the quarantine.
    ///
    /// - Parameter gone: records that are not here any more.
    mutating func forgetSettled(_ refused: [RefusedRecord], gone: Set<RecordReference>) {
        let waiting = Set(
            refused.compactMap { record in record.kind.map { RecordReference($0, id: record.documentID) } })
        failures.removeAll { failure in
            (failure.isConflict || (failure.isPush && gone.contains(failure.reference)))
                && !waiting.contains(failure.reference)
        }
    }

    /// With what the record itself says, such as its district.
    fileprivate mutating func explainRefusals(_ field: FieldDatabase) throws {
        failures = try failures.map { failure in
            var failure = failure
            let title = try RecordPlace(field).title(failure.reference)
            failure.title = title.isEmpty ? nil : title
            guard failure.isPush, let reason = failure.reason else { return failure }
            failure.words = try field.words(
                ofRefusal: failure.code, reason, of: failure.reference.kind, id: failure.reference.id)
            return failure
        }
    }
}

extension FieldDatabase {
    /// How many of these records have something to decide.
    func undecided(among references: Set<RecordReference>) throws -> [RecordKind: Int] {
        var counts: [RecordKind: Int] = [:]
        for (kind, group) in Dictionary(grouping: references, by: \.kind) {
            let count = try conflictCount(of: kind, group.map(\.id))
            if count > 0 { counts[kind] = count }
        }
        return counts
    }

    /// Not even a deletion of it is known here.
    fileprivate func isGone(_ record: RecordReference) throws -> Bool {
        try collection(of: record.kind).exchange(of: record.id) == nil
    }
}

extension SyncReport.Photos {
    fileprivate mutating func add(_ count: Int, bytes: UInt64) {
        self.count += count
        self.bytes += bytes
    }
}
