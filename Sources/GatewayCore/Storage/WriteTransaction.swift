import DocumentValues
import GRDB
import SQLiteStorage

/// What a commit changes for those who wait and for what is cached.
struct CommitEffects: Sendable {
    /// The channels whose lists changed, by collection, with the last sequence in each. `*` is always among them.
    var channels: [ChannelKey: UInt64] = [:]
    /// Users and roles (`role:…`) that changed in any way.
    var principals: Set<Name> = []
    /// The database's last sequence after the commit.
    var lastSequence: UInt64 = 0

    mutating func merge(_ other: CommitEffects) {
        channels.merge(other.channels) { max($0, $1) }
        principals.formUnion(other.principals)
    }
}

/// A channel of one collection.
struct ChannelKey: Sendable, Hashable {
    let collection: Int64
    let channel: Name
}

/// The transaction that waiting writes share. It is only used on the writer's queue.
final class WriteTransaction {
    let db: Database
    private(set) var lastSequence: UInt64
    /// Of the write that is running; what went before is in `committed`.
    var effects = CommitEffects()
    private(set) var committed = CommitEffects()
    private var storedSequence: UInt64

    init(_ db: Database) throws {
        self.db = db
        storedSequence = try StoreReader(db: db).properties.number(.lastSequence)
        lastSequence = storedSequence
    }

    /// The state that this transaction sees, with what it has written so far.
    var reader: StoreReader { StoreReader(db: db) }

    /// Sequences are taken only here, so that they become visible in their order.
    func nextSequence() -> UInt64 {
        lastSequence += 1
        return lastSequence
    }

    /// Runs one write in a savepoint: if it throws, what it did is undone, and only that.
    func runWrite<Value>(_ body: () throws -> Value) throws -> Value {
        effects = CommitEffects()
        let value = try db.savepoint(body)
        committed.merge(effects)
        return value
    }

    /// Before the commit.
    func finish() throws {
        committed.lastSequence = lastSequence
        guard lastSequence != storedSequence else { return }
        try properties.set(.lastSequence, to: lastSequence)
        storedSequence = lastSequence
    }
}
