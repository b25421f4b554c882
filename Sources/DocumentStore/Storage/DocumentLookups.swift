import GRDB
import SQLiteStorage
import Synchronization

/// Connections that find single documents by their ids, each for one caller at a time.
///
/// One statement needs no transaction around it, and it reads one state of the database: it also shows whether the
/// collection exists: each collection has its own table, and no later table gets the same number. So a document is found
/// without reading the catalogue, by a cached statement.
final class DocumentLookups: Sendable {
    private struct State {
        var idle: [DocumentLookup] = []
        /// Connections that are there or being opened.
        var count = 0
        /// How many lookups there were before the first connection was opened.
        var wanted = 0
    }

    private let path: String
    private let settings: ConnectionSettings
    private let state = Mutex(State())

    init(path: String, settings: ConnectionSettings) {
        self.path = path
        self.settings = settings
    }

    /// Calls `body` with a connection; `nil` where none is free, and where it fails: the caller then reads in another way,
    /// and gets the error there.
    func find(_ id: String, in collection: Int64) -> FoundDocument?? {
        guard let lookup = take() else { return nil }
        do {
            let found = try lookup.find(id, in: collection)
            giveBack(lookup)
            return .some(found)
        } catch {
            drop(lookup)
            return nil
        }
    }

    private func take() -> DocumentLookup? {
        let (idle, mayOpen) = state.withLock { state -> (DocumentLookup?, Bool) in
            if let lookup = state.idle.popLast() { return (lookup, false) }
            state.wanted += 1
            // Opening one takes as long as reading ten documents: too long for a program that reads a few and ends.
            guard state.count < StoreLimits.readers, state.wanted > StoreLimits.readsBeforeLookups else {
                return (nil, false)
            }
            state.count += 1
            return (nil, true)
        }
        if let idle { return idle }
        guard mayOpen else { return nil }
        do { return DocumentLookup(try settings.reader(path)) } catch {
            state.withLock { $0.count -= 1 }
            return nil
        }
    }

    private func giveBack(_ lookup: DocumentLookup) {
        state.withLock { $0.idle.append(lookup) }
    }

    private func drop(_ lookup: DocumentLookup) {
        state.withLock { $0.count -= 1 }
        lookup.close()
    }

    /// Closes the connections, none of which is in use: a later lookup opens one again.
    func close() {
        let idle = state.withLock { state in
            defer { (state.idle, state.count) = ([], state.count - state.idle.count) }
            return state.idle
        }
        for lookup in idle { lookup.close() }
    }
}

/// A connection with its statements, a collection each.
// Unchecked: only the caller that has taken it uses it, which `isInUse` checks. It is not on the connection's queue, since
// entering that takes a large part of the time of a lookup.
private final class DocumentLookup: @unchecked Sendable {
    private let connection: DatabaseQueue
    private var queries: [Int64: RawStatement] = [:]
    private let isInUse = Atomic(false)

    init(_ connection: DatabaseQueue) { self.connection = connection }

    func find(_ id: String, in collection: Int64) throws -> FoundDocument? {
        try alone { try FoundDocument.find(id, by: try query(collection)) }
    }

    private func query(_ collection: Int64) throws -> RawStatement {
        if let query = queries[collection] { return query }
        let query = try connection.unsafeReentrantRead { try FoundDocument.query(collection, in: $0) }
        queries[collection] = query
        return query
    }

    /// Ends the program if another caller is using it.
    private func alone<Value>(_ body: () throws -> Value) rethrows -> Value {
        precondition(!isInUse.exchange(true, ordering: .acquiring), "a connection for lookups has one caller at a time")
        defer { isInUse.store(false, ordering: .releasing) }
        return try body()
    }

    /// With open statements it could not be closed.
    func close() {
        alone { queries = [:] }
        do { try connection.close() } catch {
            LibraryLog.database.warning("A connection cannot be closed: \(error)")
        }
    }
}
