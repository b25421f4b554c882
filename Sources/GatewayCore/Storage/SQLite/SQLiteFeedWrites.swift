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
    func store(_ change: DocumentChange, number document: Int64, known: inout [Name: Int64]) throws {
        let (row, entries) = (change.row, change.entries)
        noteChange(of: Channel.all, at: row.sequence)
        for removal in entries.replacedRemovals {
            try delete(number: number(of: removal.channel, known: &known), at: removal.span.end)
        }
        for channel in entries.entered { try replace(in: channel, with: change, isRemoval: false) }
        for channel in entries.left { try replace(in: channel, with: change, isRemoval: true) }
        func replace(in channel: Name, with change: DocumentChange, isRemoval: Bool) throws {
            let number = try number(of: channel, known: &known)
            switch change.target {
            case .new: break
            case .row(_, let old): try delete(number: number, at: old)
            }
            let statement = try RawStatement("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", db)
            statement.bind(1, to: number)
            statement.bind(2, to: row.sequence)
            statement.bind(3, to: document)
            statement.bind(4, to: isRemoval ? row.revision.description : nil)
            statement.bind(5, to: isRemoval && row.isDeleted)
            try statement.run()
            noteChange(of: channel, at: row.sequence)
        }
    }

    func delete(_ entries: [ChannelEntry]) throws {
        for entry in entries { try delete(number: number(of: entry.channel), at: entry.sequence) }
    }

    private func delete(number: Int64, at sequence: UInt64) throws {
        let statement = try RawStatement("DELETE FROM entries WHERE channel = ? AND sequence = ?", db)
        statement.bind(1, to: number)
        statement.bind(2, to: sequence)
        try statement.run()
    }

    func deletions(among entries: [ChannelEntry]) throws -> Set<ChannelEntry> {
        try Set(
            entries.filter { entry in
                let statement = try RawStatement(
                    "SELECT is_deleted FROM entries WHERE channel = ? AND sequence = ?", db)
                statement.bind(1, to: try number(of: entry.channel))
                statement.bind(2, to: entry.sequence)
                return try statement.first { $0.bool(0) } ?? false
            })
    }

    func noteChange(of channel: Name, at sequence: UInt64) {
        transaction.noteChange(of: ChannelKey(collection: collection, channel: channel), at: sequence)
    }

    private func number(of channel: Name, known: inout [Name: Int64]) throws -> Int64 {
        if let number = known[channel] { return number }
        let number = try number(of: channel)
        known[channel] = number
        return number
    }

    private func number(of channel: Name) throws -> Int64 {
        try ChannelNumbers(db: db).number(making: ChannelKey(collection: collection, channel: channel))
    }
}
