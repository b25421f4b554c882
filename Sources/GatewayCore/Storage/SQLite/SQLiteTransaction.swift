import DocumentValues
import GRDB
import SQLiteStorage

/// The transaction that waiting writes share. It is only used on the thread that holds the writer.
final class SQLiteTransaction: StoreTransaction {
    let db: Database
    private(set) var lastSequence: UInt64
    /// The effects of the running write; those of earlier ones are in `committed`.
    private var effects = CommitEffects()
    private(set) var committed = CommitEffects()
    private var storedSequence: UInt64

    init(_ db: Database) throws {
        self.db = db
        storedSequence = try SQLitePropertyRows(db: db).number(.lastSequence)
        lastSequence = storedSequence
    }

    var reader: any StoreReader { SQLiteReader(db: db) }
    var documents: any DocumentWrites { SQLiteDocumentWrites(transaction: self) }
    var branches: any BranchWrites { SQLiteBranchWrites(db: db) }
    var oldRevisions: any OldRevisionWrites { SQLiteOldRevisionWrites(db: db) }
    var attachments: any AttachmentWrites { SQLiteAttachmentWrites(db: db) }
    var replacedAttachments: any ReplacedAttachmentWrites { SQLiteReplacedAttachmentWrites(db: db) }
    var localDocuments: any LocalDocumentWrites { SQLiteLocalDocumentWrites(db: db) }
    var principals: any PrincipalWrites { SQLitePrincipalWrites(db: db) }
    var grants: any GrantWrites { SQLiteGrantWrites(db: db) }
    var sessions: any SessionWrites { SQLiteSessionWrites(db: db) }
    var properties: any PropertyWrites { SQLitePropertyWrites(db: db) }

    func feed(of collection: Int64) -> any FeedWrites {
        SQLiteFeedWrites(transaction: self, collection: collection)
    }

    func nextSequences(_ count: Int) -> Range<UInt64> {
        let first = lastSequence + 1
        lastSequence += UInt64(count)
        return first..<first + UInt64(count)
    }

    func noteChange(of channel: ChannelKey, at sequence: UInt64) { effects.channels[channel] = sequence }

    func noteChange(ofPrincipal name: Name) { effects.principals.insert(name) }

    func hasChanged(principal name: Name) -> Bool { committed.principals.contains(name) }

    /// Runs one write in a savepoint: if it throws, its own changes are undone, and no others.
    func runWrite(_ body: () throws -> Void) throws {
        effects = CommitEffects()
        try db.savepoint(body)
        committed.merge(effects)
    }

    /// Before the commit.
    func finish() throws {
        // By its sequence a change of a user or role is distinguished from those that were there before.
        if !committed.principals.isEmpty, lastSequence == storedSequence { lastSequence += 1 }
        committed.lastSequence = lastSequence
        guard lastSequence != storedSequence else { return }
        try SQLitePropertyWrites(db: db).set(.lastSequence, to: lastSequence)
        storedSequence = lastSequence
    }
}
