import DocumentStore
import DocumentValues
import FieldModels
import Replication

/// Changes by others in the user's own records: a sync replaces the version here, and with it the values that the user
/// typed.
public struct ReceivedChanges: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let changePages: ChangePages
    let deletions: Deletions

    /// Keeps the former values of sites, inspections and findings before a sync brings changes by others. Each record has a
    /// document of its own, which also refers to removed photos: their files stay as long as that document.
    ///
    /// - Parameters:
    ///   - incoming: the versions of the gateway; of records that are not here it notes only inspections that others have
    /// made and handed in for the user.
    ///   - user: the user whose records are kept.
    ///   - districts: records that arrive with a whole district are not noted; `nil` if all districts were here before.
    package func keepBeforeChanges(
        of kind: RecordKind, to incoming: [RemoteChange], for user: String, amid districts: ArrivingDistricts? = nil
    ) throws {
        let stored = try collection(of: kind).bodies(of: incoming.map(\.documentID))
        let found = try zip(incoming, stored).compactMap {
            new, old -> (changes: ChangesByOthers, present: JSONObject)? in
            guard let old else { return try made(new, of: kind, for: user, amid: districts).map { ($0, JSONObject()) } }
            guard !old.isDeleted, old.body != new.body, let present = JSONObject.readable(old.body) else { return nil }
            return try replaced(present, of: kind, by: new, owner: user).map { ($0, present) }
        }
        guard !found.isEmpty else { return }
        let areOfOthers = found.contains { !$0.changes.isOwners }
        let worked = areOfOthers ? try journal.recordsWorkedOn(by: user) : []
        try database.inBatch {
            for (var changes, present) in found {
                if worked.contains(changes.record) { changes.isOwners = true }
                try keep(changes, present: present)
            }
            try changePages.forgetOldest()
        }
    }

    private func made(
        _ new: RemoteChange, of kind: RecordKind, for user: String, amid districts: ArrivingDistricts?
    ) throws -> ChangesByOthers? {
        guard let body = JSONObject.readable(new.body),
            try districts?.wasPresent(body["district"]?.stringValue) != false
        else { return nil }
        var changes = ChangesByOthers(madeByOthers: RecordReference(kind, id: new.documentID), for: user, body: body)
        changes?.revision = new.revision.description
        return changes
    }

    /// Where the record was changed here since, the gateway had another version than the one that is here.
    private func replaced(
        _ present: JSONObject, of kind: RecordKind, by new: RemoteChange, owner: String
    ) throws -> ChangesByOthers? {
        guard let incoming = JSONObject.readable(new.body) else { return nil }
        let known = try gatewayBody(of: kind, new.documentID) ?? present
        let isLost = try hasLost(known, of: kind, by: new, incoming: incoming)
        var changes = ChangesByOthers(
            RecordReference(kind, id: new.documentID), owner: owner, from: known, to: incoming, present: present,
            isLost: isLost)
        changes?.revision = new.revision.description
        return changes
    }

    /// Whether the gateway has lost the version that it is known to have had, and goes on from an older one: it was restored
    /// from a backup. The history of the new version shows it; if that is cut before the known version, the notes in both
    /// versions show it.
    private func hasLost(
        _ known: JSONObject, of kind: RecordKind, by new: RemoteChange, incoming: JSONObject
    ) throws -> Bool {
        guard !new.history.ancestors.isEmpty,
            !FieldChanges(of: incoming).includes(FieldChanges(of: known)),
            let sent = try collection(of: kind).exchange(of: new.documentID)?.newestSent
        else { return false }
        return new.revision != sent && !new.history.contains(sent)
    }

    private func keep(_ changes: ChangesByOthers, present: JSONObject) throws {
        let earlier = try self.changes(of: changes.record)
        // A revision may come twice.
        if let earlier, earlier.revision.isExactly(changes.revision) { return }
        let all =
            earlier.map { earlier in
                earlier.owner.isExactly(changes.owner) ? changes.following(earlier, present: present) : changes
            } ?? changes
        guard !all.fields.isEmpty else { return try changePages.remove(all.record) }
        try changePages.write(all)
    }

    // MARK: Reading

    /// The changes of one record; `nil` if others have not changed it.
    public func changes(of record: RecordReference) throws -> ChangesByOthers? { try changePages.find(record) }

    /// Of the records of a person that are here, those that were changed last first; records that were only approved are
    /// behind the others.
    public func all(of user: String?) throws -> [ChangesByOthers] {
        try all(of: user, since: nil)
    }

    /// Those of them that the user has not looked at and that came in the last weeks.
    func unread(of user: String?, on today: CalendarDay) throws -> [ChangesByOthers] {
        let first = today.adding(days: -FieldRecordsLimits.daysOfChangesByOthers).daysSince1970
        return try all(of: user, since: Double(first) * 86_400).filter {
            try $0.notice < .read && !isApprovalOver($0)
        }
    }

    /// A supervisor has returned it since.
    private func isApprovalOver(_ changes: ChangesByOthers) throws -> Bool {
        guard changes.isOnlyApproval else { return false }
        return try inspections.findReadable(changes.record.id)?.status != .approved
    }

    private func all(of user: String?, since seconds: Double?) throws -> [ChangesByOthers] {
        guard let user else { return [] }
        let changes = try changePages.all().filter { page in seconds.map { page.date >= $0 } ?? true }.sorted {
            $0.date > $1.date
        }
        .compactMap(\.changes)
        .filter { try $0.owner.isExactly(user) && isThere($0.record.kind, id: $0.record.id) }
        return changes.filter { !$0.isOnlyApproval } + changes.filter(\.isOnlyApproval)
    }

    /// Those of a person's records that came after a sequence number of this laptop, and that the user has not looked
    /// at.
    ///
    /// - Parameter sequence: is set to the last one.
    public func new(of user: String, after sequence: inout UInt64) throws -> [ChangesByOthers] {
        var changes: [ChangesByOthers] = []
        sequence = try changePages.collection.forEachBody(changedAfter: sequence) { _, body in
            if let change = body.flatMap({ ChangesByOthers(page: $0) }) { changes.append(change) }
        }
        return try changes.filter {
            try $0.owner.isExactly(user) && $0.notice < .read && isThere($0.record.kind, id: $0.record.id)
        }
    }

    /// Notes how far a person knows of them.
    public func note(_ changes: [ChangesByOthers], as notice: ChangesByOthers.Notice) throws {
        let others = changes.filter { $0.notice < notice }
        guard !others.isEmpty else { return }
        try database.inBatch {
            for change in others {
                // A sync may have brought more changes since.
                guard try self.changes(of: change.record) == change else { continue }
                try changePages.write(change.noticed(notice))
            }
        }
    }

    /// A decision of the person's about some fields is taken back.
    func reopen(_ record: RecordReference, from decided: JSONObject, to former: JSONObject) throws {
        try changePages.change(record) { changes in
            changes.reopened(Set(FieldChanges.changedFields(from: decided, to: former, of: record.kind)))
        }
    }

    // MARK: Forgetting

    /// Also forgets the changes of records that were taken from the laptop. A deleted record may be brought back with the
    /// values of others, so its changes are forgotten only when it cannot come back any more.
    func forgetAbsentRecords() throws {
        let absent = try changePages.all().filter { page in
            guard let record = page.changes?.record else { return false }
            return try !isThere(record.kind, id: record.id)
        }
        guard !absent.isEmpty else { return }
        let returning = try recordsThatMayComeBack()
        for page in absent {
            guard let record = page.changes?.record, !returning.contains(record) else { continue }
            try changePages.remove(page)
        }
    }

    /// With those that come back with another one.
    private func recordsThatMayComeBack() throws -> Set<RecordReference> {
        let own = try journal.entries().flatMap(\.records).filter(\.isDeletion)
        return Set(
            own.map { RecordReference($0.kind, id: $0.id) } + (try deletions.pages.kept().map(\.record.reference)))
    }
}
