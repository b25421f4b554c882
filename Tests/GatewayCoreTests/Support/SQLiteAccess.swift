import Dispatch
import GRDB

@testable import GatewayCore

/// The database behind a store of SQLite, for tests that look at its tables or damage them.
extension StoreReader {
    var db: Database {
        if let reader = self as? RoundTripReader { return reader.base.db }
        guard let reader = self as? SQLiteReader else { fatalError("no reader of SQLite") }
        return reader.db
    }
}

extension StoreTransaction {
    var db: Database {
        if let transaction = self as? RoundTripTransaction { return transaction.base.db }
        guard let transaction = self as? SQLiteTransaction else { fatalError("no transaction of SQLite") }
        return transaction.db
    }
}

extension DispatchSemaphore {
    /// Blocks a store's own thread; no other thread may be blocked like this.
    func hold() { wait() }
}
