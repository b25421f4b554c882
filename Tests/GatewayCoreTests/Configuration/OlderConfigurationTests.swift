import DocumentValues
import GRDB
import Testing

@testable import GatewayCore

/// A database that was made when fewer configurations were refused keeps working, and can be changed.
@Suite(.timeLimit(.minutes(1))) struct OlderConfigurationTests {
    private static let odd: JSONObject = [
        "unsupported": ["foo": 1, "same_site_cookie": "odd"], "auto_import": true, "guest": ["a": 1],
        "old_rev_expiry_seconds": -1, "server": "couchbase://a", "event_handlers": ["a": [:]],
    ]

    /// To return to an older program, one has to restore a backup.
    @Test func whatANewerVersionHasOpenedIsRefused() async throws {
        try await TestDatabase.run { test in
            try await test.database.store.write { transaction in
                try transaction.db.execute(
                    sql: "INSERT INTO grdb_migrations (identifier) VALUES ('gateway-9999-later')")
            }
            try await test.reopen()
            #expect(test.opened.names.isEmpty)
            let fault = try #require(test.opened.fault(of: "db"))
            #expect(fault.status == 503 && fault.reason.contains("newer version of the gateway"))
            let problems = try StorageCheck.problems(storage: test.folder)
            #expect(problems.count == 1 && problems[0].contains("newer version of the gateway"), "\(problems)")
            #expect(throws: BackupProblem.newer("db")) {
                try BackupCopy(name: "db", file: "\(test.folder)/db/\(DatabaseParts.fileName)")
            }
        }
    }

    @Test func whatIsKeptIsNotCheckedAgain() async throws {
        try await TestDatabase.run { test in
            try await test.put("d", [:])
            try await test.database.store.write { transaction in
                let kept = try #require(try await transaction.reader.configuration())
                var json = kept.json
                for member in Self.odd { json[member.key] = member.value }
                try await transaction.setConfiguration(
                    StoredConfiguration(json: json, number: kept.number, times: kept.times))
            }
            try await test.reopen()
            let database = test.database
            #expect(try await test.body("d") == "{}")
            _ = try await database.configure(JSONValue.object(["revs_limit": 33]).bytes, merging: true)
            try await database.set(.sync, to: "places", of: TestDatabase.collection)
            #expect(database.configuration().json["revs_limit"] == 33)
            for member in Self.odd {
                let change = JSONObject(members: [member])
                await #expect(throws: GatewayError.self, "\(member.key)") {
                    try await database.configure(change.bytes, merging: true)
                }
            }
        }
    }
}
