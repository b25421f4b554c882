import Dispatch
import DocumentValues
import Foundation
import SQLiteStorage
import Synchronization

/// Notifies listeners of the changes of commits, whether they were made here or by another process.
///
/// Both ways end in one look at the collections' sequences, so a listener hears of every change once, in order.
final class ChangeHub: Sendable {
    enum Observer: Sendable {
        /// Collections whose documents have changed, and those that were made or deleted.
        case sources(@Sendable (Set<CollectionName>) -> Void)
        /// Also of those that change no document; called more often than there are commits.
        case everyCommit(@Sendable () -> Void)
        case collection(Int64, DispatchQueue, @Sendable ([String]) -> Void)
        case document(Int64, id: String, DispatchQueue, @Sendable () -> Void)
    }

    private struct State {
        var observers: [UInt64: Observer] = [:]
        var nextToken: UInt64 = 0
        /// Set and removed on `queue` only, where it is also decided whether there is any observer.
        var watcher: CommitWatcher?
        var isLookScheduled = false
        /// The state up to which the observers were notified. Changed on `queue` only, through `onQueue`.
        var progress: [Int64: CollectionRecord] = [:]
        /// The number of the last notice of `watcher`.
        var notice = 0
    }

    /// The open database, which another one replaces when its key is changed.
    private struct Followed {
        let core: StoreCore
        let expiry: ExpiryTimer
    }

    private let followed: Mutex<Followed>
    /// Looks happen here, one after the other.
    private let queue = DispatchQueue(label: "fieldbook.database.changes")
    /// The queue of listeners that name none.
    let deliveryQueue = DispatchQueue(label: "fieldbook.database.listeners")
    private let state = Mutex(State())
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    init(core: StoreCore, expiry: ExpiryTimer) {
        followed = Mutex(Followed(core: core, expiry: expiry))
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
    }

    /// Goes on with the same database after it was opened again. Its observers stay, and are notified of commits that came
    /// before it was closed.
    func follow(_ core: StoreCore, expiry: ExpiryTimer) {
        followed.withLock { $0 = Followed(core: core, expiry: expiry) }
        commitHappened()
    }

    /// The database that is open now. A look takes it once: in the middle of it another one may come.
    private var present: Followed { followed.withLock { $0 } }

    // MARK: Observers

    func observe(_ body: @escaping @Sendable (Set<CollectionName>) -> Void) throws -> ListenerToken {
        try add(.sources(body))
    }

    func add(_ observer: Observer) throws -> ListenerToken {
        let token = try onQueue {
            let core = present.core
            try watch(core.folder)
            do {
                // First notify the others of earlier commits: the new observer must only get later ones.
                if state.withLock({ $0.observers.isEmpty }) {
                    advance(to: try core.read(CollectionCatalog.all))
                } else {
                    // None is added to a closed database: its sequences would not end.
                    try core.call { _ = look() }
                }
            } catch {
                endWatchingForNobody()
                throw error
            }
            return state.withLock { state in
                state.nextToken += 1
                state.observers[state.nextToken] = observer
                return state.nextToken
            }
        }
        return ListenerToken { [weak self] in self?.remove(token) }
    }

    private func remove(_ token: UInt64) {
        // Not under the lock: the release of an observer may remove other observers.
        let (observer, isLast) = state.withLock { state in
            let observer = state.observers.removeValue(forKey: token)
            return (observer, state.observers.isEmpty)
        }
        withExtendedLifetime(observer) {}
        if isLast { queue.async { [weak self] in self?.endWatchingForNobody() } }
    }

    private func watch(_ folder: DatabaseFolder) throws {
        guard state.withLock({ $0.watcher == nil }) else { return }
        let watcher = try CommitWatcher(folder: folder.url, queue: queue) { [weak self] in
            self?.lookRepeatedly(attempt: 0)
        }
        state.withLock { $0.watcher = watcher }
    }

    /// An observer may have been added since.
    private func endWatchingForNobody() {
        let watcher = state.withLock { state -> CommitWatcher? in
            guard state.observers.isEmpty else { return nil }
            defer { state.watcher = nil }
            return state.watcher
        }
        withExtendedLifetime(watcher) {}
    }

    /// The caller has closed the database. On the queue, so that an observer that is being added is released, too.
    func close() {
        let released = onQueue {
            state.withLock { state in
                defer { (state.observers, state.watcher) = ([:], nil) }
                return (state.observers, state.watcher)
            }
        }
        withExtendedLifetime(released) {}
        queue.setSpecific(key: Self.queueKey, value: nil)
    }

    private func onQueue<Value>(_ body: () throws -> Value) rethrows -> Value {
        if DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self) { return try body() }
        return try queue.sync(execute: body)
    }

    // MARK: Looking

    /// A commit of this process; several before the look are seen in one.
    func commitHappened() {
        let schedules = state.withLock { state in
            guard !state.isLookScheduled, !state.observers.isEmpty else { return false }
            state.isLookScheduled = true
            return true
        }
        guard schedules else { return }
        queue.async { [weak self] in
            self?.state.withLock { $0.isLookScheduled = false }
            self?.look()
        }
    }

    /// Commits are reported before the database is closed.
    func reportCommits() { onQueue { _ = look() } }

    /// Looks until something has changed or the commit that was announced must have become visible. A newer notice
    /// replaces the attempts of the older one.
    private func lookRepeatedly(attempt: Int) {
        let number = state.withLock { state in
            state.notice += 1
            return state.notice
        }
        lookRepeatedly(attempt: attempt, number)
    }

    private func lookRepeatedly(attempt: Int, _ number: Int) {
        guard state.withLock({ $0.notice == number }), !look(), attempt < StoreLimits.visibilityRetries.count else {
            return
        }
        queue.asyncAfter(deadline: .now() + .microseconds(StoreLimits.visibilityRetries[attempt])) { [weak self] in
            self?.lookRepeatedly(attempt: attempt + 1, number)
        }
    }

    /// Notifies the observers of changes since the last look; returns whether there were any.
    @discardableResult
    private func look() -> Bool {
        let observers = state.withLock { Array($0.observers.values) }
        guard !observers.isEmpty else { return false }
        let present = self.present
        let core = present.core
        for case .everyCommit(let body) in observers { body() }
        do {
            let records = try core.read(CollectionCatalog.all)
            present.expiry.schedule(records.nextExpiration)
            let before = state.withLock { $0.progress }
            let changed = records.compactMap { record -> (CollectionRecord, UInt64)? in
                let seen = before[record.id]?.lastSequence ?? 0
                return record.lastSequence > seen ? (record, seen) : nil
            }
            let sources = Set(changed.map(\.0.name)).union(Self.madeOrDeleted(before, now: records))
            guard !sources.isEmpty else { return false }
            for case .sources(let body) in observers { body(sources) }
            let unread = changed.isEmpty ? [] : notify(observers, of: changed, in: core)
            advance(to: records, besides: unread)
            let numbers = records.reduce(into: Set<Int64>()) { $0.insert($1.id) }
            release(observersOf: Set(before.keys.filter { !numbers.contains($0) }))
            return true
        } catch {
            // This look has no caller that could get the error; the next commit or the poll tries again.
            Self.warn(error, in: core)
            return false
        }
    }

    /// A deleted collection has no more changes, so the sequences of its changes end.
    private func release(observersOf deleted: Set<Int64>) {
        guard !deleted.isEmpty else { return }
        // Not under the lock: the release of an observer may remove other observers.
        let released = state.withLock { state in
            let released = state.observers.filter { $0.value.collection.map { deleted.contains($0) } ?? false }
            for token in released.keys { state.observers[token] = nil }
            return released
        }
        withExtendedLifetime(released) {}
        queue.async { [weak self] in self?.endWatchingForNobody() }
    }

    private static func warn(_ error: any Error, in core: StoreCore) {
        // The database was closed after its last changes were reported, or the collection deleted.
        guard core.isOpen, (error as? StoreError)?.code != .notOpen else { return }
        LibraryLog.database.warning("Listeners could not be notified of a change: \(error)")
    }

    /// Notes the state up to which listeners were notified.
    ///
    /// - Parameter unread: collections whose changes are to be read with the next look.
    private func advance(to records: [CollectionRecord], besides unread: Set<Int64> = []) {
        state.withLock { state in
            let before = state.progress
            state.progress = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
            for id in unread { state.progress[id] = before[id] }
        }
    }

    private static func madeOrDeleted(
        _ before: [Int64: CollectionRecord], now records: [CollectionRecord]
    ) -> [CollectionName] {
        let numbers = records.reduce(into: Set<Int64>()) { $0.insert($1.id) }
        let deleted = before.values.filter { !numbers.contains($0.id) }
        return (deleted + records.filter { before[$0.id] == nil }).map(\.name)
    }

    /// - Returns: the collections whose changes could not be read, such as one that another process has just deleted.
    private func notify(
        _ observers: [Observer], of changed: [(record: CollectionRecord, seen: UInt64)], in core: StoreCore
    ) -> Set<Int64> {
        var unread: Set<Int64> = []
        for (record, seen) in changed where observers.contains(where: { $0.collection == record.id }) {
            do {
                try notify(observers, of: record, after: seen, in: core)
            } catch {
                Self.warn(error, in: core)
                unread.insert(record.id)
            }
        }
        return unread
    }

    private func notify(
        _ observers: [Observer], of record: CollectionRecord, after seen: UInt64, in core: StoreCore
    ) throws {
        var position = seen
        while let batch = try Self.changedIDs(in: record, after: position, of: core) {
            position = batch.through
            for observer in observers where observer.collection == record.id { observer.notify(batch.ids) }
        }
    }

    private static func changedIDs(
        in record: CollectionRecord, after sequence: UInt64, of core: StoreCore
    ) throws -> (ids: [String], through: UInt64)? {
        let rows = try core.read { db in
            let query = try RawStatement(
                """
                SELECT sequence, id FROM documents_\(record.id) WHERE sequence > ?1 AND sequence <= ?2
                UNION ALL
                SELECT sequence, document_id FROM purged_documents
                WHERE collection = ?3 AND sequence > ?1 AND sequence <= ?2
                ORDER BY 1 LIMIT ?4
                """, db)
            query.bind(1, to: Int64(sequence))
            query.bind(2, to: Int64(record.lastSequence))
            query.bind(3, to: record.id)
            query.bind(4, to: Int64(StoreLimits.listenerBatch))
            return try query.all { ($0.natural(0), $0.text(1)) }
        }
        guard let last = rows.last else { return nil }
        // One that was purged and made again has two rows.
        var named: Set<Name> = []
        return (rows.map(\.1).filter { named.insert(Name($0)).inserted }, last.0)
    }
}

extension ChangeHub.Observer {
    /// The collection whose changed ids the observer wants.
    fileprivate var collection: Int64? {
        switch self {
        case .sources, .everyCommit: nil
        case .collection(let collection, _, _), .document(let collection, _, _, _): collection
        }
    }

    fileprivate func notify(_ ids: [String]) {
        switch self {
        case .sources, .everyCommit: break
        case .collection(_, let queue, let body): queue.async { body(ids) }
        case .document(_, let id, let queue, let body):
            if ids.containsExactly(id) { queue.async { body() } }
        }
    }
}
