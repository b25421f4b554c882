import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// Writes the channels' lists of one collection, and notes which of them changed.
struct FeedWrites {
    fileprivate let transaction: WriteTransaction
    fileprivate let collection: Int64

    private var db: Database { transaction.db }

    /// What is written of a document into a channel's list.
    struct Entry {
        let document: Int64
        let sequence: UInt64
        /// Of the revision with which it left the channel; `nil` where it is in the channel.
        let removal: Removal?

        struct Removal {
            let revision: RevisionID
            let isDeleted: Bool
        }
    }

    /// - Parameter old: the sequence of the document's entry before.
    func replace(in channel: Name, at old: UInt64?, with entry: Entry) throws {
        let number = try number(of: channel)
        if let old { try delete(number: number, at: old) }
        let statement = try RawStatement("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", db)
        statement.bind(1, to: number)
        statement.bind(2, to: entry.sequence)
        statement.bind(3, to: entry.document)
        statement.bind(4, to: entry.removal?.revision.description)
        statement.bind(5, to: entry.removal?.isDeleted ?? false)
        try statement.run()
        noteChange(of: channel, at: entry.sequence)
    }

    func delete(in channel: Name, at sequence: UInt64) throws {
        try delete(number: number(of: channel), at: sequence)
    }

    private func delete(number: Int64, at sequence: UInt64) throws {
        let statement = try RawStatement("DELETE FROM entries WHERE channel = ? AND sequence = ?", db)
        statement.bind(1, to: number)
        statement.bind(2, to: sequence)
        try statement.run()
    }

    /// Whether the entry says that the document left by its deletion.
    func isDeletion(in channel: Name, at sequence: UInt64) throws -> Bool {
        let statement = try RawStatement("SELECT is_deleted FROM entries WHERE channel = ? AND sequence = ?", db)
        statement.bind(1, to: try number(of: channel))
        statement.bind(2, to: sequence)
        return try statement.first { $0.bool(0) } ?? false
    }

    /// Those who wait for the channel are notified of it with the commit.
    func noteChange(of channel: Name, at sequence: UInt64) {
        transaction.effects.channels[ChannelKey(collection: collection, channel: channel)] = sequence
    }

    private func number(of channel: Name) throws -> Int64 {
        try ChannelNumbers(db: db).number(making: ChannelKey(collection: collection, channel: channel))
    }
}

extension WriteTransaction {
    func feed(of collection: Int64) -> FeedWrites { FeedWrites(transaction: self, collection: collection) }
}
