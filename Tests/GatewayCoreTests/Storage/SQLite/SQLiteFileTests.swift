import DocumentValues
import Foundation
import Testing

@testable import GatewayCore

/// The file of a database that no gateway uses.
@Suite(.timeLimit(.minutes(1))) struct SQLiteFileTests {
    /// As all that is deleted, they are overwritten.
    @Test func endedSessionsAreErased() async throws {
        try await StoreEngine.sqlite.inFolder { path in
            let first = try StoreEngine.sqlite.open(path)
            try await first.write { transaction in
                let session = Session(key: [1], user: "ENDEDUSER", expires: 9, lifetime: 5, generation: 1)
                try await transaction.sessions.put(session)
            }
            try await first.close()
            try StorageEngine.sqlite.file(path).endSessions()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.range(of: Data("ENDEDUSER".utf8)) == nil)
            let second = try StoreEngine.sqlite.open(path)
            #expect(try await second.read { try await $0.sessions.find([1]) } == nil)
            try await second.close()
        }
    }

    /// Taken for none, it would give the sequences of old changes to new ones, and feeds would pass these over.
    @Test func aSequenceThatIsNoNumberIsDamage() async throws {
        try await StoreEngine.sqlite.inFolder { path in
            let store = try StoreEngine.sqlite.open(path)
            try await store.write { transaction in
                let times = ConfigurationTimes(created: "then", updated: "now")
                try await transaction.setConfiguration(StoredConfiguration(json: [:], number: 1, times: times))
                try await transaction.properties.set(.sessionKey, to: [1])
                try await transaction.properties.set(.lastSequence, to: Array("x".utf8))
            }
            try await store.close()
            let finding = try StorageEngine.sqlite.file(path).examine(.structure)
            if case .damaged(let reason)? = finding.problem {
                #expect(reason.contains("last_sequence"))
            } else {
                Issue.record("\(finding)")
            }
            #expect(throws: GatewayError.self) { _ = try StoreEngine.sqlite.open(path) }
        }
    }

    /// Backups and their checks know no engine.
    @Test func whatIsNoDatabaseIsAStorageFailure() async throws {
        try await StoreEngine.sqlite.inFolder { path in
            try Data(repeating: 1, count: 8_192).write(to: URL(fileURLWithPath: path))
            let file = StorageEngine.sqlite.file(path)
            let failure = #expect(throws: StorageFailure.self) { try file.examine(.structure) }
            #expect(failure?.kind == .damaged)
            let none = StorageEngine.sqlite.file(path + "-none")
            let missing = #expect(throws: StorageFailure.self) { try none.copy(to: path) }
            #expect(missing?.kind == .inaccessible)
        }
    }
}
