import DocumentStore
import DocumentValues
import FieldModels
import Synchronization

/// The changes that were made on this laptop, so that the last of them can be taken back and each be looked up. It is
/// in a collection of its own that is exchanged with nobody.
///
/// What belongs together, such as an inspection and its findings, is one change: all that is done between two calls of
/// `begin`.
public final class ChangeJournal: Sendable {
    private struct Group {
        var title: String
        var author: Author
        /// `nil` until the first record is changed.
        var id: String?
        var records: [JournalRecord] = []
    }

    private let collection: Collection
    private let group = Mutex(Group(title: "", author: Author(name: nil, moment: Timestamp(secondsSince1970: 0))))

    init(in database: Database) throws {
        collection = try database.createCollection(name: "changes", scope: "laptop")
    }

    /// What is changed from now on is one change.
    ///
    /// - Parameter title: what a person would call it: `edit`.
    public func begin(_ title: String, by author: Author) {
        group.withLock { $0 = Group(title: title, author: author) }
    }

    /// Notes what a record was before it was changed; together with the change, in one transaction.
    ///
    /// - Parameters:
    ///   - before: `nil` for a new record.
    ///   - after: `nil` for one of which nothing is left.
    func note(_ kind: RecordKind, _ id: String, before: JournalRecord.Version?, after: RevisionID?) throws {
        try group.withLock { group in
            if let place = group.records.firstIndex(where: { $0.kind == kind && $0.id.utf8.elementsEqual(id.utf8) }) {
                group.records[place].after = after
            } else {
                group.records.append(JournalRecord(kind: kind, id: id, before: before, after: after))
            }
            let key = try group.id ?? nextID()
            group.id = key
            let entry = JournalEntry(
                key: key, title: group.title, author: group.author, records: group.records)
            try collection.save(bodies: [(key, entry.body)])
        }
    }

    /// Saves a record and notes the change, in one transaction.
    ///
    /// - Parameter present: the version that is changed; `nil` for a new record.
    /// - Returns: false if somebody else has changed it; nothing is saved then.
    func save(
        _ document: MutableDocument, over present: Document?, of kind: RecordKind, in collection: Collection
    ) throws -> Bool {
        let before = present.flatMap { JournalRecord.Version($0) }
        var isSaved = false
        try collection.database.inBatch {
            isSaved = try collection.save(document: document, concurrencyControl: .failOnConflict)
            guard isSaved else { return }
            try note(kind, document.id, before: before, after: try collection.exchange(of: document.id)?.revision)
        }
        return isSaved
    }

    private func nextID() throws -> String {
        let ids = try ids()
        let last = ids.last.flatMap { Int($0.dropFirst(Self.prefix.utf8.count)) } ?? 0
        for id in ids.dropLast(FieldRecordsLimits.journal - 1) { try collection.purge(id: id) }
        let digits = String(last + 1)
        return Self.prefix + String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    }

    private static let prefix = "change-"

    private func ids() throws -> [String] { try collection.documentIDs() }

    // MARK: Reading

    /// The newest last.
    func entries() throws -> [JournalEntry] {
        let ids = try ids()
        return zip(ids, try collection.bodies(of: ids)).compactMap { id, stored in
            stored.flatMap { JournalEntry(key: id, body: $0.body) }
        }
    }

    func last() throws -> JournalEntry? {
        guard let id = try ids().last, let stored = try collection.bodies(of: [id])[0] else { return nil }
        return JournalEntry(key: id, body: stored.body)
    }

    func forget(_ entry: JournalEntry) throws {
        try collection.purge(id: entry.key)
        group.withLock { group in
            if group.id == entry.key { (group.id, group.records) = (nil, []) }
        }
    }

    /// A version has come back under another revision: the change that made it can still be taken back.
    func note(_ kind: RecordKind, _ id: String, _ old: RevisionID, isNow new: RevisionID?) throws {
        guard old != new else { return }
        for var entry in try entries().reversed() {
            guard
                let place = entry.records.firstIndex(where: {
                    $0.kind == kind && $0.id.utf8.elementsEqual(id.utf8) && $0.after == old
                })
            else { continue }
            entry.records[place].after = new
            try collection.save(bodies: [(entry.key, entry.body)])
            return
        }
    }

    /// What was taken from the laptop must leave the journal, too.
    func forgetRecords(where isGone: (JournalRecord) throws -> Bool) throws {
        for entry in try entries() {
            let rest = try entry.records.filter { try !isGone($0) }
            if rest.count == entry.records.count { continue }
            if rest.isEmpty {
                try forget(entry)
            } else {
                var changed = entry
                changed.records = rest
                try collection.save(bodies: [(entry.key, changed.body)])
            }
        }
    }
}

/// What happened to one record in a change.
struct JournalRecord: Sendable, Hashable {
    struct Version: Sendable, Hashable {
        let revision: RevisionID
        let body: JSONObject
    }

    let kind: RecordKind
    @Exact private(set) var id: String
    /// `nil` for a new record.
    let before: Version?
    /// `nil` for one of which nothing is left.
    var after: RevisionID?
}

/// A change, as it is kept.
struct JournalEntry: Sendable, Hashable {
    @Exact private(set) var key: String
    @Exact private(set) var title: String
    let author: Author
    var records: [JournalRecord]

    init(key: String, title: String, author: Author, records: [JournalRecord]) {
        self.key = key
        self.title = title
        self.author = author
        self.records = records
    }

    /// `nil` for what this version cannot read.
    init?(key: String, body: [UInt8]) {
        guard let object = JSONObject.readable(body), let title = object["title"]?.stringValue,
            let moment = object["at"]?.stringValue.flatMap({ Timestamp($0) })
        else { return nil }
        self.init(
            key: key, title: title, author: Author(name: object["by"]?.stringValue, moment: moment),
            records: (object["records"]?.arrayValue ?? []).compactMap { JournalRecord($0.objectValue) })
    }

    var body: [UInt8] {
        var object: JSONObject = ["title": .string(title), "at": .string(author.moment.description)]
        object["by"] = author.name.map(JSONValue.string)
        object["records"] = .array(records.map { .object($0.object) })
        return object.bytes
    }
}

extension JournalRecord.Version {
    /// `nil` for one that was never saved.
    init?(_ document: Document) {
        guard let revision = document.revisionID.flatMap({ RevisionID($0) }) else { return nil }
        self.init(revision: revision, body: document.body)
    }
}

extension JournalRecord {
    fileprivate init?(_ object: JSONObject?) {
        guard let object, let kind = object["kind"]?.stringValue.flatMap({ RecordKind(rawValue: $0) }),
            let id = object["id"]?.stringValue
        else { return nil }
        let revision = object["revision"]?.stringValue.flatMap { RevisionID($0) }
        let before = object["before"]?.objectValue
        self.init(
            kind: kind, id: id,
            before: revision.flatMap { revision in before.map { Version(revision: revision, body: $0) } },
            after: object["after"]?.stringValue.flatMap { RevisionID($0) })
    }

    fileprivate var object: JSONObject {
        var object: JSONObject = ["kind": .string(kind.rawValue), "id": .string(id)]
        object["revision"] = before.map { .string($0.revision.description) }
        object["before"] = before.map { .object($0.body) }
        object["after"] = after.map { .string($0.description) }
        return object
    }
}
