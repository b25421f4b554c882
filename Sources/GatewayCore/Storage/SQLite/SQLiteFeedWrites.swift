import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// What the documents of a round have in common, looked up once: most of them enter the same few channels.
struct FeedRound {
    fileprivate var numbers: [Name: Int64] = [:]
    fileprivate var insertion: RawStatement?

    init() {}
}

/// The channels' lists of one collection, written in the transaction of a connection.
struct SQLiteFeedWrites: FeedWrites {
    let transaction: SQLiteTransaction
    let collection: Int64

    private var db: Database { transaction.db }

    /// Stores the change of a document's entries.
    func store(_ change: DocumentRowChange, number document: Int64, in round: inout FeedRound) throws {
        let (row, entries) = (change.row, change.entries)
        noteChange(of: Channel.all, at: row.sequence)
        for removal in entries.replacedRemovals {
            try delete(number: ensureNumber(of: removal.channel, in: &round), at: removal.span.end)
        }
        for channel in entries.entered {
            try replaceEntry(in: channel, of: document, with: change, isRemoval: false, round: &round)
            noteChange(of: channel, at: row.sequence)
        }
        for channel in entries.left {
            try replaceEntry(in: channel, of: document, with: change, isRemoval: true, round: &round)
            noteChange(of: channel, at: row.sequence)
        }
    }

    private func replaceEntry(
        in channel: Name, of document: Int64, with change: DocumentRowChange, isRemoval: Bool, round: inout FeedRound
    ) throws {
        let number = try ensureNumber(of: channel, in: &round)
        switch change.target {
        case .new: break
        case .row(_, let old): try delete(number: number, at: old)
        }
        let row = change.row
        let statement = try round.insertion ?? RawStatement("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", db)
        round.insertion = statement
        statement.bind(1, to: number)
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

    private func ensureNumber(of channel: Name, in round: inout FeedRound) throws -> Int64 {
        if let number = round.numbers[channel] { return number }
        let number = try ChannelNumbers(db: db).ensureNumber(of: key(channel))
        round.numbers[channel] = number
        return number
    }

    private func key(_ channel: Name) -> ChannelKey { ChannelKey(collection: collection, channel: channel) }
}
