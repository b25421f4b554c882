import DocumentValues
import Foundation
import GRDB
import Glibc
import Testing

@testable import GatewayCore

/// Deleted databases and damaged ones.
@Suite(.timeLimit(.minutes(1))) struct DeletedDatabaseTests {
    private func deleted(_ test: TestDatabase) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(test.folder)/deleted").sorted()
    }

    @Test func aDeletedDatabaseCanBeBroughtBack() async throws {
        try await TestDatabase.run { test in
            try await test.put("d", ["a": 1])
            let path = try await test.opened.delete("db")
            #expect(path.hasPrefix("\(test.folder)/deleted/db-2030"))
            #expect(!FileManager.default.fileExists(atPath: "\(test.folder)/db"))
            // A new database of the same name begins empty. If it is deleted within a second, it is kept beside the
            // first one.
            _ = try await test.opened.create("db", configuration: Array("{}".utf8))
            #expect(
                try await test.database.documents.allDocuments(.init(), in: TestDatabase.collection, as: .admin).rows
                    .isEmpty)
            _ = try await test.opened.delete("db")
            #expect(try deleted(test).count == 2)
            try FileManager.default.moveItem(atPath: path, toPath: "\(test.folder)/db")
            try await test.reopen()
            #expect(try await test.body("d") == #"{"a":1}"#)
        }
    }

    @Test func theOldestIsErasedForANewOneBeyondTheLimit() async throws {
        try await TestDatabase.run { test in
            try FileManager.default.createDirectory(
                atPath: "\(test.folder)/deleted/somebody's own", withIntermediateDirectories: true)
            var paths: [String] = []
            for number in 0..<(GatewayLimits.deletedDatabases + 1) {
                if number > 0 { _ = try await test.opened.create("db", configuration: Array("{}".utf8)) }
                test.pass(seconds: 60)
                paths.append(try await test.opened.delete("db"))
            }
            let kept = paths.dropFirst().map { ($0 as NSString).lastPathComponent }
            #expect(try deleted(test) == (kept + ["somebody's own"]).sorted())
        }
    }

    /// Many deletions in one second, and a clock that was set back.
    @Test func theOneThatWasJustDeletedIsKept() async throws {
        try await TestDatabase.run { test in
            let foreign = "\(test.folder)/deleted/notes-AAAAAAAAAAAAAAAZ"
            let future = "\(test.folder)/deleted/db-20990101T000000Z"
            for folder in [foreign, future] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            for number in 0...(GatewayLimits.deletedDatabases + 2) {
                if number > 0 { _ = try await test.opened.create("db", configuration: Array("{}".utf8)) }
                let path = try await test.opened.delete("db")
                #expect(FileManager.default.fileExists(atPath: path), "\(number)")
            }
            #expect(try deleted(test).count == GatewayLimits.deletedDatabases + 1)
            #expect(FileManager.default.fileExists(atPath: foreign))
        }
    }

    @Test func theFoldersNameIsNoDatabases() async throws {
        try await TestDatabase.run { test in
            let failure = await #expect(throws: GatewayError.self) {
                try await test.opened.create("deleted", configuration: Array("{}".utf8))
            }
            #expect(failure?.status == 400)
        }
    }

    /// An earlier version could make a database of that name.
    @Test func aDatabaseOfThatNameIsNamedAndNotServed() async throws {
        try await TestDatabase.run { test in
            try await test.put("d", ["a": 1])
            await test.opened.close()
            let files = FileManager.default
            try files.moveItem(atPath: "\(test.folder)/db", toPath: "\(test.folder)/deleted")
            try await test.reopen()
            #expect(test.opened.names.isEmpty)
            let fault = try #require(test.opened.fault(of: "deleted"))
            #expect(fault.status == 503 && fault.reason.contains("\(test.folder)/deleted. Stop the gateway"))
            let failure = await #expect(throws: GatewayError.self) { try await test.opened.delete("deleted") }
            #expect(failure == fault)
            await test.opened.close()
            // As the message advises.
            try files.moveItem(atPath: "\(test.folder)/deleted", toPath: "\(test.folder)/db")
            try await test.reopen()
            #expect(try await test.body("d") == #"{"a":1}"#)
        }
    }

    /// Housekeeping may still be working on a database when a new one has its folder.
    @Test func whatIsNotedLateIsNotWrittenIntoANewOne() async throws {
        try await TestDatabase.run { test in
            let old = test.database
            _ = try await test.opened.delete("db")
            let new = try await test.opened.create("db", configuration: Array("{}".utf8))
            old.principals.noteSignIn(of: "ann", agent: "late")
            old.documents.noteRefusal(
                GatewayError(403, reason: "late"), of: "d", in: TestDatabase.collection, by: "ann")
            try old.signIns.save()
            try old.refusals.save()
            for name in [SignInRecord.fileName, RefusalRecord.fileName] {
                #expect(!FileManager.default.fileExists(atPath: "\(test.folder)/db/\(name)"))
            }
            new.principals.noteSignIn(of: "bob", agent: "new")
            try new.signIns.save()
            #expect(FileManager.default.fileExists(atPath: "\(test.folder)/db/\(SignInRecord.fileName)"))
        }
    }

    // MARK: - Damage

    private enum Damage: CaseIterable { case noDatabase, halfOverwritten, gone, configuration }

    private static func damage(_ damage: Damage, _ folder: String) throws {
        let file = URL(fileURLWithPath: "\(folder)/db/gateway.sqlite3")
        // The log must not contain the pages, since SQLite would read them from there.
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try queue.close()
        switch damage {
        case .noDatabase: try Data(repeating: 0x78, count: 8_192).write(to: file)
        case .halfOverwritten:
            var data = try Data(contentsOf: file)
            let half = data.count / 2
            data.replaceSubrange(half..., with: Data(repeating: 0xFF, count: data.count - half))
            try data.write(to: file)
        case .gone:
            try FileManager.default.removeItem(at: file)
            try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/db/gateway.sqlite3-wal"))
        case .configuration:
            let queue = try DatabaseQueue(path: file.path)
            try queue.write { db in
                try db.execute(sql: "UPDATE properties SET value = x'7B220000' WHERE name = 'configuration'")
            }
            try queue.close()
        }
    }

    /// The advice for an unreadable database must not be about accounts or disk space.
    @Test func adviceForADamagedDatabaseIsToRestoreIt() async throws {
        try await TestDatabase.run { test in
            let file = "\(test.folder)/db/gateway.sqlite3"
            await test.opened.close()
            // SQLite's error for a row with an impossible length.
            let full = DatabaseError(resultCode: .SQLITE_FULL)
            #expect(BackupCopy.failure(full, copying: file) is DatabaseError)
            try Self.damage(.configuration, test.folder)
            #expect(BackupCopy.failure(full, copying: file) is BackupProblem)
            #expect(throws: BackupProblem.self) {
                _ = try BackupCopy.make(of: "db", storage: test.folder, in: "\(test.folder)/.copy")
            }
            try await test.reopen()
            let reason = test.opened.fault(of: "db")?.reason ?? ""
            #expect(reason.contains("\(file) is damaged") && reason.contains("restore --replace"), "\(reason)")
        }
    }

    @Test(arguments: Damage.allCases) private func damageIsFoundBeforeAStart(damage: Damage) async throws {
        try await TestDatabase.run { test in
            try await test.put("d", ["a": 1])
            await test.opened.close()
            #expect(try StorageCheck.problems(storage: test.folder) == [])
            try Self.damage(damage, test.folder)
            let problems = try StorageCheck.problems(storage: test.folder)
            #expect(problems.count == 1 && problems[0].contains("/db/gateway.sqlite3: "), "\(problems)")
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func filesOfAnotherAccountAreFound() async throws {
        try await TestDatabase.run { test in
            await test.opened.close()
            try #require(chown("\(test.folder)/db/gateway.sqlite3", 54_321, 54_321) == 0)
            let problems = try StorageCheck.problems(storage: test.folder)
            #expect(problems.count == 1 && problems[0].contains("belongs to account 54321"), "\(problems)")
        }
    }
}
