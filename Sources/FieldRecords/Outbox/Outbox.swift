import DocumentStore
import DocumentValues
import FieldModels

/// The records that the gateway refused, with its reasons, until the user has settled them.
public struct Outbox: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let changePages: ChangePages
    let deletions: Deletions
    let reversal: ChangeReversal
    let districts: Districts

    /// Those that wait longest first.
    public func all() throws -> [RefusedRecord] {
        let pushes = try database.rejectedPushes()
        guard !pushes.isEmpty else { return [] }
        // The site of a deleted record may be deleted, too.
        let titles = RecordTitles(store, besides: try deletions.all())
        return try pushes.compactMap { try refused($0, titled: titles) }
            .sorted { ($0.since, $0.number) < ($1.since, $1.number) }
    }

    /// Refused records that the user still has to settle.
    public func unsettled() throws -> [RefusedRecord] { try all().filter { $0.awaits == .decision } }

    private func refused(_ push: RejectedPush, titled titles: RecordTitles) throws -> RefusedRecord? {
        let kind = RecordKind(collection: push.collection)
        guard let collection = try collection(push), let exchange = try collection.exchange(of: push.documentID)
        else { return nil }
        let body = try lastContent(of: push, kind, in: collection)
        let subject = RefusalText.subject(of: push.code, reason: push.reason)
        let awaits = Self.awaited(push, of: subject, at: exchange)
        let resender = awaits == .anotherLaptop ? subject.meaning.resender : nil
        let lost = resender.map { LostVersion(resender: $0, body: body) }
        return RefusedRecord(
            number: push.number, kind: kind, collection: push.collection.description, documentID: push.documentID,
            title: try kind.flatMap { kind in try body.flatMap { try titles.title(of: kind, $0) } }
                ?? push.documentID, change: Self.change(exchange),
            code: push.code,
            reason: try lost?.text
                ?? message(ofRefusal: push.code, push.reason, of: kind, id: push.documentID, body: body),
            subject: subject, creator: body?["createdBy"]?.stringValue,
            sender: lost?.sender,
            since: Timestamp(secondsSince1970: Int64(push.firstDate)),
            last: Timestamp(secondsSince1970: Int64(push.date)), awaits: awaits,
            isTakenAway: subject.meaning.isOtherVersion && exchange.isRestored && !exchange.isDeleted)
    }

    private static func awaited(
        _ push: RejectedPush, of subject: RefusedRecord.Subject, at exchange: DocumentExchange
    ) -> RefusedRecord.Awaited {
        if push.isAcknowledged { return .nothing }
        guard exchange.isSent, let resender = subject.meaning.resender else { return .decision }
        return resender.sends(isDeletion: exchange.isDeleted) ? .anotherLaptop : .decision
    }

    /// The content of the record, or the one before its deletion: the version that the gateway had, or the one that was
    /// deleted here.
    private func lastContent(of push: RejectedPush, _ kind: RecordKind?, in collection: Collection) throws
        -> JSONObject?
    {
        let id = push.documentID
        guard let stored = try collection.bodies(of: [id])[0] else { return nil }
        guard stored.isDeleted else { return JSONObject.readable(stored.body) }
        if let base = try collection.baseBody(of: id).flatMap({ JSONObject.readable($0) }) { return base }
        return try kind.flatMap { try journal.entries().contentBeforeLastChange(of: $0, id) }
    }

    private static func change(_ exchange: DocumentExchange) -> RefusedRecord.Change {
        switch (exchange.isDeleted, exchange.isKnownToRemotes) {
        case (false, false): .new
        case (false, true): .edit
        case (true, false): .deletionOfNew
        case (true, true): .deletion
        }
    }

    private func collection(_ push: RejectedPush) throws -> Collection? {
        try database.collection(name: push.collection.name, scope: push.collection.scope)
    }

    func collection(_ record: RefusedRecord) throws -> Collection {
        guard let push = try push(of: record), let collection = try collection(push) else {
            throw RecordActionError(.notFound, kind: record.kind, id: record.documentID)
        }
        return collection
    }

    /// Whether the gateway has had the version that it refuses now.
    public func isLostAtGateway(_ record: RefusedRecord) throws -> Bool {
        try collection(record).exchange(of: record.documentID)?.isSent == true
    }

    /// Whether it has not left the outbox since it was read.
    public func contains(_ record: RefusedRecord) throws -> Bool { try push(of: record) != nil }

    private func push(of record: RefusedRecord) throws -> RejectedPush? {
        let name = try CollectionName(parsing: record.collection)
        return try database.rejectedPushes(of: record.documentID, in: name).first { $0.number == record.number }
    }

    /// Leaves it as it is; syncs go on trying it, and say nothing as long as the gateway's reason is the same.
    public func keep(_ record: RefusedRecord) throws { try database.acknowledgeRejection(record.number) }

    /// Gives it up: the gateway's version comes back, or, where the gateway has none, nothing is left of it; of a new
    /// inspection neither its new findings.
    public func discard(_ record: RefusedRecord) throws -> Discarded {
        try database.inBatch {
            for finding in try newFindings(of: record) { _ = try findings.collection.purgeIfUnsent(id: finding.id) }
            let collection = try collection(record)
            // A version that was taken away must not stay here either.
            let reverted = try record.isTakenAway ? Reversal.unchanged : collection.revert(id: record.documentID)
            switch reverted {
            case .purged, nil: return .purged
            case .reverted: return .reverted
            case .purgedToBeFetched: return .comesBack
            case .unchanged:
                // The version that the gateway had, and refuses now, is not its present one.
                try collection.purgeToBeFetched(id: record.documentID)
                return .comesBack
            }
        }
    }

    /// The findings that go with a new inspection when that is given up.
    public func newFindings(of record: RefusedRecord) throws -> [Finding] {
        guard record.kind == .inspection, record.change == .new else { return [] }
        return try findings.all(ofInspection: record.documentID).records.filter { finding in
            try findings.collection.exchange(of: finding.id)?.isKnownToRemotes == false
        }
    }

    /// For a gateway at another address, which may be the same one: it gets all refused records again, and a record that it
    /// refuses again is listed once.
    public func forgetAll() throws {
        for push in try database.rejectedPushes() { try collection(push)?.forgetRefusals(of: push.documentID) }
    }

    /// Forgets refused deletions of records that the gateway never had: there is nothing to be deleted anywhere.
    public func forgetDeletionsOfNewRecords() throws {
        for push in try database.rejectedPushes() {
            guard let collection = try collection(push),
                try collection.exchange(of: push.documentID)?.isDeleted == true
            else { continue }
            _ = try collection.purgeIfUnsent(id: push.documentID)
        }
    }

    /// Settles one refused record after the other, inspections before their findings. A record that only others can settle
    /// does not stop the following ones.
    ///
    /// - Parameter settle: throws for a record that has to stay as it is.
    /// - Returns: the records that stay in the outbox, with the reasons.
    /// - Throws: an error that concerns all of them, such as a full disk.
    public func settle(
        _ records: [RefusedRecord], by settle: (RefusedRecord) throws -> Void
    ) throws -> [(record: RefusedRecord, reason: any Error)] {
        var left: [(RefusedRecord, any Error)] = []
        for record in records.filter({ $0.kind != .finding }) + records.filter({ $0.kind == .finding }) {
            do {
                try settle(record)
            } catch let error as RecordActionError {
                // The inspection of a finding is to come back first; or the record has left the outbox since.
                if try contains(record) { left.append((record, error)) }
            } catch let error as RecordError {
                // Only the office can read it, or mend it.
                left.append((record, error))
            } catch let error as StoreError where error.code == .badDocumentID {
                // Gateways send longer ids than laptops give.
                left.append((record, error))
            }
        }
        return left
    }
}
