import DocumentStore
import DocumentValues
import FieldModels

/// Deletions by others: what they take is kept for a while, because nothing of it is in the deletion itself.
extension FieldDatabase {
    /// Keeps what records are before a sync deletes them. Of more than it keeps, the oldest go (but no findings that are to
    /// come back with their inspection). Those that the person has made or worked on have room of their own, which is much
    /// larger: nobody pushes them out by deleting hundreds of others. Of a record that is as large as a document can be,
    /// nothing is kept: that is no reason to receive nothing any more. Of one that is nested too deep for a page, those members
    /// are left out; no form asks for such.
    ///
    /// - Parameters:
    ///   - ids: those that are not here, or deleted already, are left out.
    ///   - user: who works on the laptop.
    public func keepDeleted(_ kind: RecordKind, ids: [String], for user: String? = nil) throws {
        try keep(kind, ids: ids, isTied: false, for: user)
    }

    /// - Parameter isTied: findings that go weeks after their inspection, and come back with it.
    func keep(_ kind: RecordKind, ids: [String], isTied: Bool, for user: String? = nil) throws {
        let records = zip(ids, try collection(of: kind).bodies(of: ids)).compactMap { id, stored in
            stored.flatMap { $0.isDeleted ? nil : JSONObject.readable($0.body) }.map { (id: id, body: $0) }
        }
        guard !records.isEmpty else { return }
        try database.inBatch {
            let kept = try keptDeletions()
            let titles = RecordTitles(self, besides: kept.map(\.record))
            let worked = try journal.subjects(of: user)
            func isOwn(_ body: JSONObject, kind: RecordKind, id: String) -> Bool {
                Self.isMade(body, by: user) || worked.contains(JournalSubject(kind: kind, id: id))
            }
            let pages = try records.map { record in
                let title = try titles.title(of: kind, record.body) ?? record.id
                let page = DeletionPage(kind: kind, id: record.id, title: title, before: record.body, isTied: isTied)
                return RankedPage(body: page.body, isOwn: isOwn(record.body, kind: kind, id: record.id))
            }.filter { $0.size <= StoreLimits.documentBody }
            let alike = kept.filter { $0.record.isTied == isTied }.map {
                RankedPage(
                    key: $0.key, size: $0.size, isOwn: isOwn($0.record.body, kind: $0.record.kind, id: $0.record.id))
            }
            let all = alike + pages
            let going = RankedPage.going(among: all)
            for index in going { if let key = all[index].key { try deletions.purge(id: key) } }
            let new = all.indices.filter { !going.contains($0) }.compactMap { all[$0].newBody }
            let last = try deletions.documentIDs().last.flatMap { DeletionPage.number(of: $0) } ?? 0
            try deletions.save(bodies: new.enumerated().map { (DeletionPage.key(last + 1 + $0.offset), $0.element) })
        }
    }

    private static func isMade(_ body: JSONObject, by user: String?) -> Bool {
        user.map { body["createdBy"]?.stringValue.isExactly($0) == true } ?? false
    }

    /// What others have deleted and nobody has brought back, the newest first.
    public func recordsDeletedElsewhere() throws -> [DeletedRecord] {
        var seen: Set<JournalSubject> = []
        return try keptDeletions().reversed().compactMap { kept in
            let record = kept.record
            guard seen.insert(JournalSubject(kind: record.kind, id: record.id)).inserted,
                let exchange = try collection(of: record.kind).exchange(of: record.id), exchange.isDeleted
            else { return nil }
            return DeletedRecord(
                kind: record.kind, id: record.id, title: record.title,
                moment: Timestamp(secondsSince1970: Int64(exchange.date)), body: record.body, isSeen: record.isSeen)
        }
    }

    /// What others have deleted of somebody's own in the last weeks, and no list of what was deleted has shown, with what is
    /// hidden of theirs by that. Findings that went with their inspection come back with it, and are not named beside it.
    func unseenDeletionsElsewhere(of user: String?, on today: CalendarDay) throws -> [DeletedRecord] {
        guard let user else { return [] }
        let first = Int64(today.adding(days: -FieldRecordsLimits.daysOfChangesByOthers).daysSince1970) * 86_400
        let deleted = try recordsDeletedElsewhere()
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
        try database.inBatch {
            let keys = try deletions.documentIDs()
            let pages = zip(keys, try deletions.bodies(of: keys)).compactMap { key, stored -> (String, [UInt8])? in
                guard var page = stored.flatMap({ DeletionPage($0.body) }), !page.isSeen,
                    unseen.contains(RecordReference(page.kind, id: page.id))
                else { return nil }
                page.isSeen = true
                return (key, page.body)
            }
            try deletions.save(bodies: pages.filter { $0.1.count <= StoreLimits.documentBody })
        }
    }

    /// What others have deleted of somebody's own, and what is hidden of theirs by that, and came after a number of the
    /// laptop's own.
    ///
    /// - Parameter sequence: is set to the last one, unless a record is still there: a sync keeps it a moment before it deletes
    ///   it.
    public func newDeletionsElsewhere(of user: String, after sequence: inout UInt64) throws -> [DeletedRecord] {
        var kept: Set<RecordReference> = []
        let last = try deletions.forEachBody(changedAfter: sequence) { _, body in
            guard let page = body.flatMap({ DeletionPage($0) }), !page.isTied, !page.isSeen else { return }
            kept.insert(RecordReference(page.kind, id: page.id))
        }
        if try kept.allSatisfy({ try !isThere($0.kind, id: $0.id) }) { sequence = last }
        guard !kept.isEmpty else { return [] }
        let deleted = try recordsDeletedElsewhere().filter { kept.contains($0.reference) }
        return try deleted.filter { $0.isWork(of: user) } + hiddenFindings(with: deleted, madeBy: user)
    }

    /// Makes it a record again, which is sent to the gateway like any other. From then on it belongs to the person who
    /// brings it back.
    ///
    /// - Throws: `RecordActionError` where it is there already, and for a finding whose inspection is deleted, too, or handed
    ///   in.
    public func bringBack(_ record: DeletedRecord, by author: Author) throws -> UndoneChange.Outcome {
        var outcome = UndoneChange.Outcome.broughtBack
        try database.inBatch {
            guard try !isThere(record.kind, id: record.id) else {
                throw RecordActionError(.exists, kind: record.kind, id: record.id)
            }
            if let change = record.change {
                outcome = try takeBack(record, deletedBy: change, by: author)
                try bringBackTiedFindings(by: author)
                return
            }
            if record.kind == .finding { try checkMayComeBack(Finding(id: record.id, object: record.body)) }
            outcome = try bringBack(record.kind, id: record.id, body: record.body, by: author)
            try forgetDeletions { $0.kind == record.kind && $0.id.isExactly(record.id) }
            // What was before may be of the version that came back.
            try journal.noteWhole("undo of a deletion by others", by: author)
            try bringBackTiedFindings(by: author)
        }
        return outcome
    }

    /// Brings the findings back that went weeks after their inspection, where that is there again, brought back by anybody:
    /// nobody has deleted them.
    ///
    /// - Returns: how many.
    @discardableResult
    public func bringBackTiedFindings(by author: Author) throws -> Int {
        var count = 0
        try database.inBatch {
            for kept in try keptDeletions() where kept.record.isTied {
                guard let inspection = kept.record.body["inspection"]?.stringValue,
                    try isThere(.inspection, id: inspection)
                else { continue }
                try deletions.purge(id: kept.key)
                guard try !isThere(.finding, id: kept.record.id) else { continue }
                _ = try bringBack(.finding, id: kept.record.id, body: kept.record.body, by: author)
                count += 1
            }
        }
        return count
    }

    /// Forgets what somebody has brought back, which is not deleted any more. Not during a sync, which stores a
    /// record's content a moment before it deletes the record.
    public func forgetReturnedRecords() throws { try forgetDeletions { try isThere($0.kind, id: $0.id) } }

    func forgetDeletions(where isOver: (DeletedRecord) throws -> Bool) throws {
        for kept in try keptDeletions() where try isOver(kept.record) { try deletions.purge(id: kept.key) }
    }

    /// The oldest first; without the time, which is the deletion's.
    func keptDeletions() throws -> [(key: String, record: DeletedRecord, size: Int)] {
        let keys = try deletions.documentIDs()
        return zip(keys, try deletions.bodies(of: keys)).compactMap {
            key, stored -> (key: String, record: DeletedRecord, size: Int)? in
            guard let stored, let page = DeletionPage(stored.body) else { return nil }
            let record = DeletedRecord(
                kind: page.kind, id: page.id, title: page.title, moment: Timestamp(secondsSince1970: 0),
                body: page.before, isTied: page.isTied, isSeen: page.isSeen)
            return (key, record, stored.body.count)
        }
    }
}

/// A page that is kept, or is to be: which of them find room is decided by age.
private struct RankedPage {
    let key: String?
    /// `nil` where it is kept already.
    let newBody: [UInt8]?
    let size: Int
    /// Whether the person has made the record, or has worked on it.
    let isOwn: Bool

    init(key: String, size: Int, isOwn: Bool) {
        self.key = key
        newBody = nil
        self.size = size
        self.isOwn = isOwn
    }

    init(body: [UInt8], isOwn: Bool) {
        key = nil
        newBody = body
        size = body.count
        self.isOwn = isOwn
    }

    /// The positions of those for which there is no room.
    ///
    /// - Parameter pages: the oldest first.
    static func going(among pages: [RankedPage]) -> Set<Int> {
        let others = pages.indices.filter { !pages[$0].isOwn }
        var going = Set(others.dropLast(FieldRecordsLimits.deletedElsewhere))
        var size = 0
        for (newer, index) in pages.indices.filter({ pages[$0].isOwn }).reversed().enumerated() {
            size += pages[index].size
            guard newer >= FieldRecordsLimits.deletedElsewhere else { continue }
            if size > FieldRecordsLimits.ownDeletedElsewhereBytes { going.insert(index) }
        }
        return going
    }
}

/// A document of the collection of deletions.
private struct DeletionPage {
    let kind: RecordKind
    let id: String
    let title: String
    let before: JSONObject
    let isTied: Bool
    var isSeen = false

    private static let prefix = "deletion-"
    private static let digits = 12

    /// They sort by their numbers.
    static func key(_ number: Int) -> String { prefix + number.padded(to: digits) }

    static func number(of key: String) -> Int? {
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        return Int(String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    var body: [UInt8] {
        let whole = bytes(of: before)
        if JSONObject.readable(whole) != nil { return whole }
        return bytes(of: before.filter { JSONObject.readable(bytes(of: [$0: before[$0] ?? .null])) != nil })
    }

    private func bytes(of before: JSONObject) -> [UInt8] {
        var object: JSONObject = [
            "kind": .string(kind.rawValue), "id": .string(id), "title": .string(title), "before": .object(before),
        ]
        if isTied { object["tied"] = true }
        if isSeen { object["seen"] = true }
        return object.bytes
    }
}

extension DeletionPage {
    /// `nil` for what this version cannot read.
    init?(_ body: [UInt8]) {
        guard let object = JSONObject.readable(body),
            let kind = object["kind"]?.stringValue.flatMap({ RecordKind(exactly: $0) }),
            let id = object["id"]?.stringValue, let title = object["title"]?.stringValue,
            let before = object["before"]?.objectValue
        else { return nil }
        self.init(
            kind: kind, id: id, title: title, before: before, isTied: object["tied"] == true,
            isSeen: object["seen"] == true)
    }
}
