import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// The channels' lists of one collection, written in the transaction of a connection.
struct SQLiteFeedWrites: FeedWrites {
    let transaction: SQLiteTransaction
    let collection: Int64

    private var db: Database { transaction.db }

    /// Stores the change of a document's entries.
    ///
    /// - Parameter known: the numbers of channels that were looked up already.
    func store(_ change: DocumentRowChange, number document: Int64, known: inout [Name: Int64]) throws {
        let (row, entries) = (change.row, change.entries)
        noteChange(of: Channel.all, at: row.sequence)
        for removal in entries.replacedRemovals {
            try delete(number: ensureNumber(of: removal.channel, known: &known), at: removal.span.end)
        }
        for channel in entries.entered {
            try replaceEntry(
                in: ensureNumber(of: channel, known: &known), of: document, with: change, isRemoval: false)
            noteChange(of: channel, at: row.sequence)
        }
        for channel in entries.left {
            try replaceEntry(in: ensureNumber(of: channel, known: &known), of: document, with: change, isRemoval: true)
            noteChange(of: channel, at: row.sequence)
        }
    }

    private func replaceEntry(
        in channel: Int64, of document: Int64, with change: DocumentRowChange, isRemoval: Bool
    ) throws {
        switch change.target {
        case .new: break
        case .row(_, let old): try delete(number: channel, at: old)
        }
        let row = change.row
        let statement = try RawStatement("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", db)
        statement.bind(1, to: channel)
        statement.bind(2, to: row.sequence)
        statement.bind(3, to: document)
        statement.bind(4, to: isRemoval ? row.revision.description : nil)
        statement.bind(5, to: isRemoval && row.isDeleted)
        try statement.run()
    }

    func delete(_ entries: [ChannelEntry]) throws {
        for entry in entries {
            guard let number = try ChannelNumbers(db: db).number(of: key(entry.channel)) else { continue }
            try delete(number: number, at: entry.sequence)
        }
    }

    private func delete(number: Int64, at sequence: UInt64) throws {
        let statement = try RawStatement("DELETE FROM entries WHERE channel = ? AND sequence = ?", db)
        statement.bind(1, to: number)
        statement.bind(2, to: sequence)
        try statement.run()
    }

    func noteChange(of channel: Name, at sequence: UInt64) {
        transaction.noteChange(of: key(channel), at: sequence)
    }

    private func ensureNumber(of channel: Name, known: inout [Name: Int64]) throws -> Int64 {
        if let number = known[channel] { return number }
        let number = try ChannelNumbers(db: db).ensureNumber(of: key(channel))
        known[channel] = number
        return number
    }

    private func key(_ channel: Name) -> ChannelKey { ChannelKey(collection: collection, channel: channel) }
}
