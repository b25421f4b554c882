import DocumentValues
import SQLiteStorage

/// How far a document has come to the remotes of its folder.
package struct DocumentExchange: Sendable, Hashable {
    /// The present revision with its ancestors, as far as they are known here.
    package let ancestry: Ancestry
    package var revision: RevisionID { ancestry.revision }
    package let isDeleted: Bool
    /// When the revision was stored here, in seconds since 1970.
    package let date: Double
    /// Whether any remote is known to have any revision of the document.
    package let isKnownToRemotes: Bool
    /// Whether any remote is known to have this very revision.
    package let isSent: Bool
    /// Whether it came back from the quarantine, and no remote has since accepted it, or sent a revision of its own.
    package let isRestored: Bool
    /// The newest revision that a remote is known to have, by its name here.
    package let newestSent: RevisionID?
}

/// How ``Collection/revert(id:)`` has ended.
public enum Reversal: Sendable, Hashable {
    /// No remote had the document: nothing is left of it.
    case purged
    /// The document is as a remote has it.
    case reverted
    /// The remote's version is not here any more. The document is gone until the next replication brings it again, if the
    /// user may see it.
    case purgedToBeFetched
    /// There were no edits to take back.
    case unchanged
}

extension Collection {
    /// Also of a tombstone; `nil` if the database knows no document of the id.
    package func exchange(of id: String) throws -> DocumentExchange? {
        try read { try $0.find(id) }.map { stored in
            let ancestry = try stored.ancestry
            return DocumentExchange(
                ancestry: ancestry, isDeleted: stored.isDeleted,
                date: Double(stored.timestamp) / 1e9, isKnownToRemotes: !stored.remotes.isEmpty,
                isSent: stored.remotes.contains(stored.revision),
                isRestored: stored.flags.contains(.restored) && !stored.remotes.contains(stored.revision),
                newestSent: ancestry.revisions.first { stored.remotes.contains($0) })
        }
    }

    /// Documents of which any remote is known to have any revision, tombstones included: one query for many of them.
    package func idsKnownToRemotes() throws -> Set<Name> {
        Set(try read { try $0.idsKnownToRemotes() }.map { Name($0) })
    }

    /// Whether any remote is known to have any revision of any document. It may have to read all rows.
    package func isKnownToRemotes() throws -> Bool { try read { try $0.isKnownToRemotes() } }

    /// Forgets a document that no remote is known to have: no remote needs a deletion of it.
    ///
    /// - Returns: false if a remote has it, or there is no such document; then nothing is changed.
    package func purgeIfUnsent(id: String) throws -> Bool {
        try database.core().write { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.find(id), stored.remotes.isEmpty else { return false }
            try table.purge(stored)
            return true
        }
    }

    /// Gives up the local edits that no remote has, a deletion among them. A remote may have refused the document because it
    /// has another one under the id, or a newer revision: then the next replication brings that. Edits that came back from
    /// the quarantine, and that no remote has, started from a version that this folder no longer has. The gateway sends that
    /// version again only if the user may see it.
    ///
    /// - Returns: `nil` if there is no such document.
    /// - Throws: `.notOpen` if the database is closed or the collection deleted, and `.busy`.
    public func revert(id: String) throws -> Reversal? {
        try database.core().write { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.find(id) else { return nil }
            return try LocalReversal(table: table, stored: stored).run()
        }
    }

    /// Purges a document that remotes know; the next replication brings their version, if the user may see it.
    package func purgeToBeFetched(id: String) throws {
        try database.core().write { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.find(id) else { return }
            _ = try LocalReversal(table: table, stored: stored).purgeToBeFetched()
        }
    }

    /// Forgets the version from which a document's edits started. The remote has lost it: `revert` must not go back to
    /// it, and a merge must not take it for the remote's.
    package func forgetBase(of id: String) throws {
        try database.core().write { transaction in try transaction.table(number).forgetBase(of: id) }
    }

    /// Saves a version in place of one that the remotes have lost, and not as a child of it. If a remote has the lost one
    /// again by then, the two are in conflict and get merged; neither replaces the other unseen.
    ///
    /// - Throws: `.notFound` if there is no such document, or its time is over.
    package func replaceLost(id: String, body: [UInt8]) throws {
        try database.core().write { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.findPresent(id) else { throw StoreError.noDocument(id, in: self) }
            _ = try table.replace(lost: stored, body: body)
        }
    }

    /// Has the next replication look at a document again, as if it had just changed. Another refusal is reported to its
    /// document listeners.
    ///
    /// - Throws: `.notFound` if there is no such document; `.notOpen` if the database is closed or the collection deleted, and
    ///   `.busy`.
    public func offerAgain(id: String) throws {
        try database.core().write { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.find(id) else { throw StoreError.noDocument(id, in: self) }
            try table.touch(stored)
        }
    }

    /// Has the next replication with any remote push a document as if none had refused it; does nothing where there is no
    /// such document.
    package func forgetRefusals(of id: String) throws {
        try database.core().write { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.find(id) else { return }
            try table.touch(stored)
            try transaction.clearOutbox(collection: table.collection, documentID: id)
        }
    }
}

/// Takes a document back to a remote's version.
private struct LocalReversal {
    let table: DocumentTable
    let stored: CollectionDocument

    private var transaction: WriteTransaction { table.transaction }
    private var conflicts: ConflictTable { ConflictTable(db: transaction.db, collection: table.collection) }

    func run() throws -> Reversal {
        if stored.remotes.isEmpty {
            if try isTaken { return try purgeToBeFetched() }
            try table.purge(stored)
            return .purged
        }
        if let conflict = try conflicts.first(stored.id) { return try take(conflict) }
        if stored.remotes.contains(stored.revision) { return .unchanged }
        // The version from which its edits started was taken from here, and the user may not see it any more. Or no remote
        // has that version any more, and the next edit of it would be refused as well.
        if try stored.flags.contains(.restored) || isTaken { return try purgeToBeFetched() }
        let base = try CollectionReader(db: transaction.db, record: table.record).base(of: stored.id)
        guard let base, stored.remotes.contains(base.revision),
            let history = try stored.ancestry.history(of: base.revision)
        else { return try purgeToBeFetched() }
        try put(base.revision, history: history, isDeleted: false, body: base.body)
        return .reverted
    }

    /// A remote has another revision under the id that is not known here: it was purged, or never pulled.
    private var isTaken: Bool {
        get throws {
            let refused = try OutboxTable.entries(of: stored.id, in: table.record.name, transaction.db)
            return refused.contains { $0.code == 409 }
        }
    }

    private func take(_ conflict: StoredConflict) throws -> Reversal {
        try conflicts.removeAll(of: stored.id)
        try put(conflict.revision, history: conflict.history, isDeleted: conflict.isDeleted, body: conflict.body)
        return .reverted
    }

    private func put(
        _ revision: RevisionID, history: RevisionHistory, isDeleted: Bool, body: [UInt8]
    ) throws {
        _ = try table.put(
            CollectionDocument(
                sequence: 0, id: stored.id, revision: revision,
                historyText: history.trimmed(keeping: stored.remotes).description, remotes: stored.remotes,
                flags: isDeleted ? .deleted : [], timestamp: transaction.now.nanoseconds,
                expiration: stored.expiration, body: body),
            naming: DocumentBody(scanned: body).digests, replacing: stored)
        try table.forgetBase(of: stored.id)
    }

    /// Without checkpoints the next replication compares all documents, and so finds those that are missing here.
    func purgeToBeFetched() throws -> Reversal {
        try table.purge(stored)
        try CheckpointGeneration.forgetCheckpoints(transaction.db)
        return .purgedToBeFetched
    }
}
