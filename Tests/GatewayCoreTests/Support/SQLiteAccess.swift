import Dispatch
import GRDB
import Testing

@testable import GatewayCore

/// SQLite's connection, for tests of that engine alone.
extension StoreReader {
    var db: Database {
        get throws { try #require(self as? SQLiteReader, "this is no reader of SQLite").db }
    }
}

extension StoreTransaction {
    var db: Database {
        get throws { try #require(self as? SQLiteTransaction, "this is no transaction of SQLite").db }
    }
}

extension DispatchSemaphore {
    /// Blocks a thread of SQLite's connections; no other thread may be blocked like this.
    func hold() { wait() }
}
