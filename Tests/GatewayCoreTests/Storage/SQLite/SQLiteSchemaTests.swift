import GRDB
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct SQLiteSchemaTests {
    /// For a statement with a trigger, SQLite keeps a separate journal, and ending it takes longer the larger the transaction
    /// is. A document that grants many channels to many users took minutes, during which no other client could write.
    @Test func noTriggerRunsForEachRowOfADocument() async throws {
        try await StoreEngine.sqlite.run { store in
            let tables = try await store.read { store in
                try String.fetchAll(store.db, sql: "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
            }
            #expect(tables == ["local_documents"])
        }
    }
}
