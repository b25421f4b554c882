import DocumentValues
import GRDB
import Synchronization

@testable import GatewayCore

extension StoreEngine {
    static let sqlite = StoreEngine(storage: .sqlite, readsInPlace: true)
}

extension SQLiteStore: TestedStore {
    var waitingWrites: Int { waiting.withLock { $0.count } }

    func count(_ rows: CountedRows) async throws -> Int {
        try await read { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM \(rows.table)") ?? 0 }
    }

    func makeUnreadable(_ row: DamagedRow) async throws {
        try await write { transaction in
            let db = try transaction.db
            switch row {
            case .tree(let id):
                try db.execute(sql: "UPDATE documents SET tree = 'x' WHERE id = ?", arguments: [id])
            case .body(let id):
                // {"t":"…"} with a byte that UTF-8 never has.
                try db.execute(sql: "UPDATE documents SET body = x'7B2274223A22FF227D' WHERE id = ?", arguments: [id])
            case .branch(let number):
                let columns = "document, revision, sequence, channels, body"
                try db.execute(
                    sql: "INSERT INTO branches (\(columns)) VALUES (?, 'x', 1, '{', '')", arguments: [number])
            case .principal(let key, let state):
                try db.execute(
                    sql: "UPDATE principals SET state = ? WHERE name = ?", arguments: [state, key.text])
            }
        }
    }

    func setRoomForSessions(_ hasRoom: Bool) async throws {
        try await write { transaction in
            let db = try transaction.db
            guard !hasRoom else {
                try db.execute(sql: "PRAGMA max_page_count = 1000000; DROP TRIGGER fill; DROP TABLE filler")
                return
            }
            try db.execute(
                sql: """
                    CREATE TABLE filler (content BLOB);
                    CREATE TRIGGER fill BEFORE INSERT ON sessions
                    BEGIN INSERT INTO filler VALUES (zeroblob(1000000)); END
                    """)
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 10)")
        }
    }
}

extension CountedRows {
    fileprivate var table: String {
        switch self {
        case .documents: "documents"
        case .entries: "entries"
        case .branches: "branches"
        case .oldRevisions: "old_revisions"
        case .attachments: "attachments WHERE position = 0"
        case .replacedAttachments: "replaced_attachments"
        case .grants: "grants"
        case .sessions: "sessions"
        }
    }
}
