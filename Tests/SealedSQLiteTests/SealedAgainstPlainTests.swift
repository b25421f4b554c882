import Foundation
import SealedSQLite
import Testing

/// A sealed database and a plain one, to which the same is done: they are to stay the same, also as a crash leaves them.
@Suite struct SealedAgainstPlainTests {
    private static let content = "SELECT id || ' ' || k || ' ' || coalesce(x, '') FROM t ORDER BY id"

    @Test(arguments: [UInt64(1), 2, 3]) func theyStayTheSame(seed: UInt64) throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let (sealed, plain) = (try Connection(scratch.path), try Connection(scratch.file("plain")))
        var steps = RandomSteps(state: seed)
        try plain.run("PRAGMA journal_mode = WAL")
        for connection in [sealed, plain] {
            try connection.run("PRAGMA cache_size = 20; PRAGMA cache_spill = 20; PRAGMA wal_autocheckpoint = 60")
            try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, k, x); CREATE INDEX byK ON t (k)")
        }
        for round in 0..<120 {
            let sql = Self.statement(&steps)
            for connection in [sealed, plain] { try connection.run(sql) }
            guard round % 10 == 9 else { continue }
            let expected = try plain.texts(Self.content)
            #expect(try sealed.texts(Self.content) == expected, "seed \(seed), round \(round): \(sql)")
            try scratch.copyAsAfterCrash(to: "crash-\(round)")
            let copied = try scratch.keyed("crash-\(round)")
            let crashed = try Connection(scratch.file("crash-\(round)"))
            #expect(try crashed.texts(Self.content) == expected, "seed \(seed), round \(round): \(sql)")
            #expect(try crashed.text("PRAGMA integrity_check") == "ok")
            withExtendedLifetime(copied) {}
        }
        withExtendedLifetime(keyed) {}
    }

    /// Rows from a few bytes to several pages.
    private static func statement(_ steps: inout RandomSteps) -> String {
        let (id, key) = (steps.next(upTo: 300), steps.next(upTo: 40))
        let text = "printf('%.*c', \([3, 300, 3_000, 20_000][steps.next(upTo: 4)]), '\(key % 10)')"
        let insert = "INSERT OR REPLACE INTO t VALUES (\(id), \(key), \(text));"
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
        let many = "INSERT OR REPLACE INTO t \(rows) SELECT (\(id) + i * 7) % 300, \(key), \(text) FROM n;"
        switch steps.next(upTo: 12) {
        case 0...3: return insert
        case 4: return "BEGIN; \(many) UPDATE t SET x = x || 'a' WHERE id % 3 = 0; COMMIT"
        case 5: return "BEGIN; \(many) SAVEPOINT s; DELETE FROM t WHERE k > 20; ROLLBACK TO s; COMMIT"
        case 6: return "BEGIN; \(many) DELETE FROM t; ROLLBACK"
        case 7: return "DELETE FROM t WHERE k = \(key)"
        case 8: return "UPDATE t SET x = \(text), k = \(key) WHERE id % 11 = \(id % 11)"
        case 9: return "PRAGMA wal_checkpoint(\(["PASSIVE", "FULL", "RESTART", "TRUNCATE"][key % 4]))"
        case 10: return "DELETE FROM t WHERE id > 150; VACUUM"
        default: return many
        }
    }
}
