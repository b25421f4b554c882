import GRDB
import Testing

@testable import DocumentStore

/// The end of a statement that SQLite is at work on.
@Suite struct InterruptionTests {
    /// The statement asks for its own end, so that SQLite is certainly at work then.
    @Test(.timeLimit(.minutes(1))) func aStatementAtWorkIsInterrupted() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let interruption = Interruption(limit: nil)
        let function = DatabaseFunction("ask_for_the_end", argumentCount: 0) { _ in
            interruption.ask(because: CancellationError())
            return 1
        }
        try database.core().write { transaction in
            transaction.db.add(function: function)
            defer { transaction.db.remove(function: function) }
            #expect(throws: CancellationError.self) {
                try interruption.watch(transaction.db) {
                    try Int.fetchOne(
                        transaction.db,
                        sql: """
                            WITH RECURSIVE n(i) AS (SELECT ask_for_the_end() UNION ALL SELECT i + 1 FROM n)
                            SELECT count(*) FROM n
                            """)
                }
            }
        }
    }
}
