import GRDB
import SQLiteStorage

/// The numbers by which channels are stored.
struct ChannelNumbers {
    let db: Database

    /// `nil` if no document has ever been in the channel.
    func number(of key: ChannelKey) throws -> Int64? {
        let statement = try RawStatement("SELECT id FROM channels WHERE collection = ? AND name = ?", db)
        statement.bind(1, to: key.collection)
        statement.bind(2, to: key.channel)
        return try statement.first { $0.int64(0) }
    }

    /// The number; a new one if the channel has none yet.
    func ensureNumber(of key: ChannelKey) throws -> Int64 {
        if let number = try number(of: key) { return number }
        let statement = try RawStatement("INSERT INTO channels (collection, name) VALUES (?, ?)", db)
        statement.bind(1, to: key.collection)
        statement.bind(2, to: key.channel)
        try statement.run()
        return db.lastInsertedRowID
    }
}
