import DocumentStore
import DocumentValues
import FieldModels
import Synchronization

/// The changes that were made on this laptop, so that the last of them can be taken back and each be looked up. It is
/// in a collection of its own that is never exchanged.
///
/// Records that belong together, such as an inspection and its findings, are one change: all edits between two calls of
/// `begin`. Each record of a change is a page, a document of its own, so that a change of many records costs no more
/// than its records.
public final class ChangeJournal: Sendable {
    private struct Group {
        var title: String
        var author: Author
        /// `nil` until the first record is changed.
        var change: ChangeNumber?
        /// The page of each record. One that was forgotten since is not in the collection.
        var pages: [RecordReference: String] = [:]
    }

    private struct Observer: Sendable {
        let report: @Sendable (OwnChange) -> @Sendable () -> Void
    }

    private let collection: Collection
    private let observers = Mutex<[Observer]>([])
    private let group = Mutex(Group(title: "", author: nobody))

    /// The author of changes before the first call of `begin`.
    private static let nobody = Author(name: nil, moment: Timestamp(secondsSince1970: 0))

    init(in database: Database) throws {
        collection = try database.createCollection(name: "changes", scope: "laptop")
    }

    /// Begins a change: all edits until the next call belong to it.
    ///
    /// - Parameter title: its name for people: `edit`.
    public func begin(_ title: String, by author: Author) {
        group.withLock { $0 = Group(title: title, author: author) }
    }

    /// Reports each change of a record from now on, before its transaction ends; to several observers, if this is called for
    /// several.
    ///
    /// - Parameter observer: returns a closure that takes back its note of the change; it is called if the transaction
    ///   fails.
    public func observe(_ observer: @escaping @Sendable (OwnChange) -> @Sendable () -> Void) {
        observers.withLock { $0.append(Observer(report: observer)) }
    }

    func report(_ change: OwnChange) throws {
        for observer in observers.withLock({ $0 }) { try collection.database.whenRolledBack(observer.report(change)) }
    }

    /// Notes a change that has no earlier versions of its records, such as an import: neither it nor an earlier change
    /// can be taken back.
    public func noteWhole(_ title: String, by author: Author) throws {
        let change = try nextChange()
        try write(JournalPage(key: change.page(0), title: title, author: author, record: nil))
        group.withLock { $0 = Group(title: title, author: author) }
    }

    /// Notes the version of a record before a change; call it in the transaction of the change.
    ///
    /// - Parameters:
    ///   - before: `nil` for a new record.
    ///   - after: `nil` for a record that is purged.
    ///   - body: the content after the change; `nil` for a deletion.
    func note(
        _ kind: RecordKind, id: String, before: JournalRecord.Version?, after: RevisionID?, body: JSONObject?
    ) throws {
        try group.withLock { group in
            let reference = RecordReference(kind, id: id)
            var known = try group.pages[reference].flatMap { try page($0)?.records.first }
            // A sync has changed the record in the middle of the change. The version of the sync is no change of this
            // laptop, so `undo` must not take it back.
            if let last = known, last.after != before?.revision {
                group = Group(title: group.title, author: group.author)
                known = nil
            }
            var record = known ?? JournalRecord(kind: kind, id: id, before: before)
            record.after = after
            record.isDeletion = body == nil
            record.differences = record.before.flatMap { old in
                body.map { RecordDifference.lines(from: old.body, to: $0) }
            }
            record.typed = Self.typed(from: record.before?.body, to: body, of: kind)
            let (formerChange, formerKey) = (group.change, group.pages[reference])
            let change = try formerChange ?? nextChange()
            let key = formerKey ?? change.page(group.pages.count)
            try write(JournalPage(key: key, title: group.title, author: group.author, record: record))
            group.change = change
            group.pages[reference] = key
            // A number that is not in the collection is free for another process.
            try collection.database.whenRolledBack { [self] in
                self.group.withLock { group in
                    guard group.change == change else { return }
                    group.change = formerChange
                    group.pages[reference] = formerKey
                }
            }
        }
        try report(OwnChange(RecordReference(kind, id: id), before: before?.body, after: body))
    }

    private static func typed(
        from before: JSONObject?, to after: JSONObject?, of kind: RecordKind
    ) -> [FieldPath: JSONValue] {
        guard let before, let after else { return [:] }
        // By attaching a photo a person does not decide that it stays if another user removes it.
        let paths = FieldChanges.changedFields(from: before, to: after, of: kind).filter { !$0.isItem }
        let present = ContestedValues.present(Dictionary(paths.map { ($0, ()) }) { first, _ in first }, in: after)
        return Dictionary(paths.map { ($0, present[$0] ?? .null) }) { first, _ in first }
    }

    /// Saves a record and notes the change, in one transaction.
    ///
    /// - Parameter present: the version that is changed; `nil` for a new record.
    /// - Returns: false if another process has changed it; nothing is saved then.
    func save(
        _ document: MutableDocument, over present: Document?, of kind: RecordKind, in collection: Collection
    ) throws -> Bool {
        let before = present.flatMap { JournalRecord.Version($0) }
        return try collection.database.inBatch {
            guard try collection.save(document: document, concurrencyControl: .failOnConflict) else { return false }
            try note(
                kind, id: document.id, before: before, after: try collection.exchange(of: document.id)?.revision,
                body: document.body)
            return true
        }
    }

    private func write(_ page: JournalPage) throws { try collection.save(bodies: [(page.key, page.body)]) }

    private func page(_ key: String) throws -> JournalPage? {
        try collection.bodies(of: [key])[0].flatMap { JournalPage(key: key, body: $0.body) }
    }

    /// Forgets the oldest changes, too.
    private func nextChange() throws -> ChangeNumber {
        let keys = try collection.documentIDs()
        let last = keys.last.flatMap { ChangeNumber(ofPage: $0) }?.value ?? 0
        var changes: [ChangeNumber] = []
        for key in keys {
            guard let change = ChangeNumber(ofPage: key), change != changes.last else { continue }
            changes.append(change)
        }
        let kept = changes.suffix(FieldRecordsLimits.journal - 1).first?.value ?? 0
        for key in keys {
            guard let change = ChangeNumber(ofPage: key), change.value < kept else { continue }
            try collection.purge(id: key)
        }
        return ChangeNumber(value: last + 1)
    }

    // MARK: Reading

    /// The newest last.
    func entries() throws -> [JournalEntry] { try entries(of: collection.documentIDs()) }

    func last() throws -> JournalEntry? {
        let keys = try collection.documentIDs()
        guard let change = keys.last.flatMap({ ChangeNumber(ofPage: $0) }) else { return nil }
        return try entries(of: keys.filter { ChangeNumber(ofPage: $0) == change }).last
    }

    /// The last values that a person has given these fields here, of each record of which one was changed.
    func typed(_ paths: [FieldPath], by author: Author) throws -> [RecordReference: [FieldPath: JSONValue]] {
        guard let name = author.name else { return [:] }
        var typed: [RecordReference: [FieldPath: JSONValue]] = [:]
        for record in try entries().filter({ $0.author.name?.isExactly(name) == true }).flatMap(\.records) {
            for path in paths {
                if let value = record.typed[path] { typed[record.reference, default: [:]][path] = value }
            }
        }
        return typed
    }

    /// The records that a person has worked on here, as far as the journal remembers them.
    func recordsWorkedOn(by user: String?) throws -> Set<RecordReference> {
        guard let user else { return [] }
        let own = try entries().filter { $0.author.name.isExactly(user) }
        return Set(own.flatMap(\.records).map(\.reference))
    }

    /// The user who has deleted a record, if that was its last change here; `nil` also if the user is not known.
    func deletion(of reference: RecordReference) throws -> Author? {
        for key in try collection.documentIDs().reversed() {
            guard let page = try page(key), let record = page.records.last(where: { $0.reference == reference }) else {
                continue
            }
            return record.isDeletion && page.author != Self.nobody ? page.author : nil
        }
        return nil
    }

    private func entries(of keys: [String]) throws -> [JournalEntry] {
        var entries: [JournalEntry] = []
        for (key, stored) in zip(keys, try collection.bodies(of: keys)) {
            guard let change = ChangeNumber(ofPage: key),
                let page = stored.flatMap({ JournalPage(key: key, body: $0.body) })
            else { continue }
            if entries.last?.change == change {
                entries[entries.count - 1].pages.append(page)
            } else {
                entries.append(JournalEntry(change: change, pages: [page]))
            }
        }
        return entries
    }

    func forget(_ entry: JournalEntry) throws {
        for page in entry.pages { try collection.purge(id: page.key) }
        group.withLock { group in
            if group.change == entry.change { (group.change, group.pages) = (nil, [:]) }
        }
    }

    /// Versions have come back under other revisions: the changes that made them can still be taken back.
    func rename(_ renamed: [RenamedVersion]) throws {
        var waiting = Dictionary(grouping: renamed) { $0.record }
        for entry in try entries().reversed() where !waiting.isEmpty {
            for var page in entry.pages {
                var isChanged = false
                for index in page.records.indices {
                    let record = page.records[index]
                    guard let found = waiting[record.reference]?.first(where: { $0.old == record.after }) else {
                        continue
                    }
                    page.records[index].after = found.new
                    waiting[record.reference] = nil
                    isChanged = true
                }
                if isChanged { try write(page) }
            }
        }
    }

    /// A record that was taken from the laptop must leave the journal, too.
    func forgetRecords(where isGone: (JournalRecord) throws -> Bool) throws {
        for var page in try entries().flatMap(\.pages) where !page.records.isEmpty {
            let rest = try page.records.filter { try !isGone($0) }
            if rest.count == page.records.count { continue }
            if rest.isEmpty {
                try collection.purge(id: page.key)
            } else {
                page.records = rest
                try write(page)
            }
        }
    }
}
