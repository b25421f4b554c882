import DocumentStore
import DocumentValues
import FieldModels
import Replication

/// What others change in one's own records: a sync replaces the version here, and with it what was typed.
extension FieldDatabase {
    /// Keeps what inspections and findings are before a sync brings what others have made of them. Each has a document of its
    /// own, which refers to the photos that were taken away, too: their files stay as long as it does.
    ///
    /// - Parameters:
    ///   - incoming: what the gateway has now; of those that are not here only what was made and handed in for the user is noted.
    ///   - user: whose records are kept.
    package func keepBeforeChanges(of kind: RecordKind, to incoming: [RemoteChange], for user: String) throws {
        let stored = try collection(of: kind).bodies(of: incoming.map(\.documentID))
        let found = try zip(incoming, stored).compactMap { new, old -> ChangesByOthers? in
            guard let old else { return made(new, of: kind, for: user) }
            guard !old.isDeleted, old.body != new.body else { return nil }
            return try replaced(old.body, of: kind, by: new, owner: user)
        }
        guard !found.isEmpty else { return }
        try database.inBatch {
            for changes in found { try keep(changes) }
            try forgetOldest()
        }
    }

    private func made(_ new: RemoteChange, of kind: RecordKind, for user: String) -> ChangesByOthers? {
        guard let body = JSONObject.readable(new.body) else { return nil }
        var changes = ChangesByOthers(madeByOthers: RecordReference(kind, id: new.documentID), for: user, body: body)
        changes?.revision = new.revision.description
        return changes
    }

    /// Where the record was changed here since, the gateway had another version than the one that is here.
    private func replaced(
        _ old: [UInt8], of kind: RecordKind, by new: RemoteChange, owner: String
    ) throws -> ChangesByOthers? {
        guard let present = JSONObject.readable(old), let incoming = JSONObject.readable(new.body) else { return nil }
        let known = try gatewayBody(of: kind, new.documentID) ?? present
        var changes = ChangesByOthers(
            RecordReference(kind, id: new.documentID), owner: owner, from: known, to: incoming, present: present)
        changes?.revision = new.revision.description
        return changes
    }

    private func keep(_ changes: ChangesByOthers) throws {
        let earlier = try self.changes(of: changes.record)
        // A revision may come twice.
        if let earlier, earlier.revision.isExactly(changes.revision) { return }
        let all = earlier.map { $0.owner.isExactly(changes.owner) ? changes.following($0) : changes } ?? changes
        guard !all.fields.isEmpty else { return try forget(all) }
        try write(all)
    }

    func write(_ changes: ChangesByOthers) throws {
        let page = changes.page
        // What is as large as a document can be is no reason to receive nothing any more.
        guard page.count <= StoreLimits.documentBody else { return }
        try changedByOthers.save(bodies: [(Self.key(changes.record), page)])
    }

    private static func key(_ record: RecordReference) -> String {
        "changes-\(SourceDigest.of([record.kind.rawValue, record.id]))"
    }

    /// Records that others have made push out none that the person has made, of which there are no more than they made; and
    /// what nobody has looked at stays longest.
    private func forgetOldest() throws {
        let pages = try self.pages().sorted { Self.goes($0, before: $1) }
        var bytes = pages.reduce(0) { $0 + $1.bytes }
        var ofOthers = pages.reduce(0) { $0 + ($1.isMadeByOwner ? 0 : 1) }
        for page in pages {
            let isTooMany = !page.isMadeByOwner && ofOthers > FieldRecordsLimits.changedByOthers
            guard isTooMany || bytes > FieldRecordsLimits.changedByOthersBytes else { continue }
            try changedByOthers.purge(id: page.key)
            bytes -= page.bytes
            if !page.isMadeByOwner { ofOthers -= 1 }
        }
    }

    private static func goes(_ left: Page, before right: Page) -> Bool {
        if left.isMadeByOwner != right.isMadeByOwner { return right.isMadeByOwner }
        let isRead = (left.changes?.notice == .read, right.changes?.notice == .read)
        return isRead.0 == isRead.1 ? left.date < right.date : isRead.0
    }

    // MARK: Reading

    private struct Page {
        let key: String
        let bytes: Int
        let date: Double
        let changes: ChangesByOthers?

        var isMadeByOwner: Bool { changes?.isMadeByOwner ?? false }
    }

    private func pages() throws -> [Page] {
        let keys = try changedByOthers.documentIDs()
        return try zip(keys, try changedByOthers.bodies(of: keys)).compactMap { key, stored -> Page? in
            guard let stored, let exchange = try changedByOthers.exchange(of: key) else { return nil }
            return Page(
                key: key, bytes: stored.body.count, date: exchange.date, changes: ChangesByOthers(page: stored.body))
        }
    }

    /// Of one record; `nil` where others have changed nothing of it.
    public func changes(of record: RecordReference) throws -> ChangesByOthers? {
        let stored = try changedByOthers.bodies(of: [Self.key(record)])[0]
        let changes = stored.flatMap { $0.isDeleted ? nil : ChangesByOthers(page: $0.body) }
        return changes?.record == record ? changes : nil
    }

    /// Of the records of a person that are here, those that were changed last first.
    public func changesByOthers(of user: String?) throws -> [ChangesByOthers] {
        try changesByOthers(of: user, since: nil)
    }

    /// The same that nobody has looked at and that came in the last weeks.
    func unreadChangesByOthers(of user: String?, on today: CalendarDay) throws -> [ChangesByOthers] {
        let first = today.adding(days: -FieldRecordsLimits.daysOfChangesByOthers).daysSince1970
        return try changesByOthers(of: user, since: Double(first) * 86_400).filter { $0.notice != .read }
    }

    private func changesByOthers(of user: String?, since seconds: Double?) throws -> [ChangesByOthers] {
        guard let user else { return [] }
        return try pages().filter { page in seconds.map { page.date >= $0 } ?? true }.sorted { $0.date > $1.date }
            .compactMap(\.changes)
            .filter { try $0.owner.isExactly(user) && isThere($0.record.kind, id: $0.record.id) }
    }

    /// Those of a person's records that came after a number of the laptop's own, and that nobody has looked at.
    ///
    /// - Parameter sequence: is set to the last one.
    public func newChangesByOthers(of user: String, after sequence: inout UInt64) throws -> [ChangesByOthers] {
        var changes: [ChangesByOthers] = []
        sequence = try changedByOthers.forEachBody(changedAfter: sequence) { _, body in
            if let change = body.flatMap({ ChangesByOthers(page: $0) }) { changes.append(change) }
        }
        return try changes.filter {
            try $0.owner.isExactly(user) && $0.notice != .read && isThere($0.record.kind, id: $0.record.id)
        }
    }

    /// Notes how far a person knows of them.
    public func note(_ changes: [ChangesByOthers], as notice: ChangesByOthers.Notice) throws {
        let others = changes.filter { $0.notice != notice }
        guard !others.isEmpty else { return }
        try database.inBatch {
            for var change in others {
                // A sync may have brought more meanwhile.
                guard try self.changes(of: change.record) == change else { continue }
                change.notice = notice
                try write(change)
            }
        }
    }

    // MARK: Forgetting

    func forget(_ changes: ChangesByOthers) throws {
        let key = Self.key(changes.record)
        if try changedByOthers.exchange(of: key) != nil { try changedByOthers.purge(id: key) }
    }

    /// What was taken from the laptop leaves these, too. What was deleted may be brought back, and is then as others left it.
    func forgetChangesOfAbsentRecords() throws {
        for page in try pages() {
            guard let record = page.changes?.record,
                try collection(of: record.kind).exchange(of: record.id) == nil
            else { continue }
            try changedByOthers.purge(id: page.key)
        }
    }
}
