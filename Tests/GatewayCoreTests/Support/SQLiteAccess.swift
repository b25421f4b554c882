import Dispatch
import GRDB
import Synchronization

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

extension GatewayStore {
    /// Writes whose transaction has not begun.
    var waitingWrites: Int {
        if let store = self as? RoundTripStore { return store.base.waitingWrites }
        guard let store = self as? SQLiteStore else { fatalError("no store of SQLite") }
        return store.waiting.withLock { $0.count }
    }
}

extension DispatchSemaphore {
    /// Blocks a store's own thread; no other thread may be blocked like this.
    func hold() { wait() }
}
