import DocumentValues
import Foundation
import GatewayCore
@testable import GatewayServer
import Glibc
import SQLiteStorage
import Synchronization
import Testing

/// Making a backup of a gateway that is being written to, and the remains of one that fails.
@Suite(.serialized) struct BackupTests {
    /// Writes documents until it is stopped, and knows which were acknowledged.
    private final class Writer: Sendable {
        private let state = Mutex((acknowledged: [String](), isStopped: false))
        private let (counts, count) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
        var acknowledged: [String] { state.withLock { $0.acknowledged } }

        func stop() { state.withLock { $0.isStopped = true } }

        func run(_ team: TestTeam, prefix: String) async throws {
            var number = 0
            while !state.withLock({ $0.isStopped }) {
                number += 1
                let id = "\(prefix)\(number)"
                let body: JSONValue = ["channels": ["north"], "text": .string(String(repeating: id, count: 200))]
                try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/\(id)", body))
                let total = state.withLock { state in
                    state.acknowledged.append(id)
                    return state.acknowledged.count
                }
                count.yield(total)
            }
        }

        func wait(for least: Int) async { for await count in counts where count >= least { return } }
    }

    @Test(.timeLimit(.minutes(2))) func aBackupMadeWhileWritesGoOnIsWhole() async throws {
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("restored"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        let before = Mutex<[String]>([])
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.storeSecret()
            let writer = Writer()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for prefix in ["a", "b", "c"] { group.addTask { try await writer.run(team, prefix: prefix) } }
                defer { writer.stop() }
                await writer.wait(for: 60)
                before.withLock { $0 = writer.acknowledged }
                let copies = try GatewayBackup(folder: folder + "/").make(
                    of: GatewayConfiguration(storagePath: gateway.folder.path))
                #expect(copies.map(\.name) == ["db"])
                await writer.wait(for: before.withLock { $0.count } + 20)
                writer.stop()
                try await group.waitForAll()
            }
        }
        let restored = try GatewayBackup(folder: folder).restore(
            nil, to: GatewayConfiguration(storagePath: storage), replacing: false)
        #expect(restored.map(\.old) == [nil])
        try await BackupPaths.serve(storage) { gateway in
            let rows = try await RawClient.request(
                "GET", "\(TestTeam.collection)/_changes", port: gateway.publicPort, headers: [TestTeam.basic("alice")])
            let ids = Set((rows.json?["results"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue })
            for id in before.withLock({ $0 }) { #expect(ids.contains(id), "\(id) was acknowledged before the backup") }
            let secret = try await RawClient.request(
                "GET", "\(TestTeam.collection)/secret/plan.txt", port: gateway.publicPort,
                headers: [TestTeam.basic("bob")])
            #expect(secret.text == "TOPSECRET-BYTES")
            let put = try await RawClient.request(
                "PUT", "\(TestTeam.collection)/after", port: gateway.publicPort, headers: [TestTeam.basic("alice")],
                body: Array(#"{"channels":["north"]}"#.utf8))
            #expect(put.status == 201)
        }
    }

    /// Nothing is removed that no backup has made, and of two backups at once one is refused.
    @Test(.timeLimit(.minutes(1))) func onlyAnInterruptedBackupIsTakenOver() async throws {
        let folder = BackupPaths.temporary("backup")
        let unfinished = folder + ".unfinished"
        defer { for path in [folder, unfinished] { try? FileManager.default.removeItem(atPath: path) } }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            let files = FileManager.default
            try files.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: unfinished + "/notes.txt"))
            let backup = GatewayBackup(folder: folder)
            #expect(throws: ConfigurationError.self) { _ = try backup.make(of: configuration) }
            #expect(files.fileExists(atPath: unfinished + "/notes.txt"))
            try files.removeItem(atPath: unfinished)
            let (_, lock) = try UnfinishedBackup.begin(of: folder)
            try Data("half of it".utf8).write(to: URL(fileURLWithPath: unfinished + "/db"))
            let error = #expect(throws: ConfigurationError.self) { _ = try backup.make(of: configuration) }
            #expect("\(String(describing: error))".contains("another backup"), "\(String(describing: error))")
            lock.release()
            _ = try backup.make(of: configuration)
            let names = try files.contentsOfDirectory(atPath: folder).sorted()
            #expect(names == ["db", "manifest.json"] && !files.fileExists(atPath: unfinished))
        }
    }

    /// A backup without the database would replace one that has it.
    @Test func aDatabaseThatLostItsFileIsNoticed() throws {
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("storage"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        // The first three are no database's. A mount that has not come up leaves an empty folder.
        for name in ["lost+found", "deleted", "notes", "gone", "unmounted", "reserve"] {
            try FileManager.default.createDirectory(
                atPath: "\(storage)/\(name)", withIntermediateDirectories: true)
        }
        for file in ["notes/today.txt", "gone/refusals.json", "reserve/gateway.sqlite3-reserve"] {
            try Data("[]".utf8).write(to: URL(fileURLWithPath: "\(storage)/\(file)"))
        }
        #expect(try BackupCopy.lost(storage: storage) == ["gone", "reserve", "unmounted"])
        let problems = try StorageCheck.problems(storage: storage)
        #expect(problems.count == 3 && problems.last?.contains("unmounted/gateway.sqlite3: is gone") == true)
        let error = #expect(throws: ConfigurationError.self) {
            _ = try GatewayBackup(folder: folder).make(of: GatewayConfiguration(storagePath: storage))
        }
        #expect(error.map { "\($0)" }?.contains("has lost its database file") == true)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    /// As with a database: a rotation would replace the backups that have the file whole.
    @Test(.timeLimit(.minutes(1))) func damagedAdministratorsStopABackup() async throws {
        let folder = BackupPaths.temporary("backup")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let administrators = "\(gateway.folder.path)/\(Administrators.fileName)"
            try Data("{".utf8).write(to: URL(fileURLWithPath: administrators))
            let damage = #expect(throws: ConfigurationError.self) {
                _ = try GatewayBackup(folder: folder).make(of: GatewayConfiguration(storagePath: gateway.folder.path))
            }
            #expect(damage?.description.contains("\(administrators): cannot be read, so nothing is backed up") == true)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    /// What half a backup takes would be missing for the next one.
    @Test(.timeLimit(.minutes(1))) func aBackupThatFailsLeavesNothing() async throws {
        let folder = BackupPaths.temporary("backup")
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let damaged = "\(gateway.folder.path)/zbad"
            try FileManager.default.createDirectory(atPath: damaged, withIntermediateDirectories: true)
            try Data(repeating: 0x5A, count: 8_192).write(to: URL(fileURLWithPath: "\(damaged)/gateway.sqlite3"))
            let configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            let backup = GatewayBackup(folder: folder)
            let error = #expect(throws: ConfigurationError.self) { _ = try backup.make(of: configuration) }
            #expect("\(String(describing: error))".contains("zbad"), "\(String(describing: error))")
            for path in [folder, folder + ".unfinished"] { #expect(!FileManager.default.fileExists(atPath: path)) }
            // The others can be named.
            #expect(try backup.make(of: configuration, only: ["db"]).map(\.name) == ["db"])
            try FileManager.default.removeItem(atPath: folder)
            #expect(throws: ConfigurationError.self) { _ = try backup.make(of: configuration, only: ["nobody"]) }
        }
        for path in [folder, folder + ".unfinished"] { #expect(!FileManager.default.fileExists(atPath: path)) }
    }

    @Test func aFullDiskIsNamed() {
        let backup = GatewayBackup(folder: "/backups/monday")
        for error: any Error in [GatewayError.diskFull, CocoaError(.fileWriteOutOfSpace)] {
            let text = "\(backup.problem(error))"
            #expect(text.contains("/backups/monday") && text.contains("there is no room for the backup"), "\(text)")
            // A restoration writes into the storage.
            let other = "\(backup.restoreProblem(error, storage: "/var/data"))"
            #expect(other.hasPrefix("/var/data: there is no room on its disk"), "\(other)")
        }
        #expect(backup.problem(BackupProblem.changed("db")) is BackupProblem)
    }

    /// Which file it is, and what the system says of it.
    @Test(arguments: [
        (POSIXErrorCode.EACCES, EACCES), (.EROFS, EROFS), (.EIO, EIO), (.ENOSPC, ENOSPC), (.EDQUOT, EDQUOT),
    ])
    func theReasonOfTheSystemIsNamed(code: POSIXErrorCode, number: Int32) {
        let facts: [String: Any] = [
            NSFilePathErrorKey: "/there/gateway.sqlite3", NSUnderlyingErrorKey: POSIXError(code),
        ]
        let isFull = [ENOSPC, EDQUOT].contains(number)
        let error = CocoaError(isFull ? .fileWriteOutOfSpace : .fileWriteUnknown, userInfo: facts)
        let backup = GatewayBackup(folder: "/backups/monday")
        for text in ["\(backup.problem(error))", "\(backup.restoreProblem(error, storage: "/var/data"))"] {
            #expect(text.contains("/there/gateway.sqlite3: \(String(cString: strerror(number)))"), "\(text)")
        }
    }

    /// A file is where a folder has to be, so that the system refuses the first call.
    @Test(.timeLimit(.minutes(1))) func whatTheSystemRefusesLeavesNothing() async throws {
        let root = BackupPaths.temporary("refused")
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(root)/file"))
        @Sendable func namesTheReason(_ error: ConfigurationError?) -> Bool {
            [ENOTDIR, EEXIST].contains { "\(String(describing: error))".contains(String(cString: strerror($0))) }
        }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            let error = #expect(throws: ConfigurationError.self) {
                _ = try GatewayBackup(folder: "\(root)/file/backup").make(of: configuration)
            }
            #expect(namesTheReason(error) && error?.file.hasPrefix("\(root)/file") == true)
            let backup = GatewayBackup(folder: "\(root)/backup")
            _ = try backup.make(of: configuration)
            let other = GatewayConfiguration(storagePath: "\(root)/file/storage")
            let refused = #expect(throws: ConfigurationError.self) {
                _ = try backup.restore(nil, to: other, replacing: false)
            }
            #expect(namesTheReason(refused))
            #expect(try FileManager.default.contentsOfDirectory(atPath: root).sorted() == ["backup", "file"])
        }
    }
}
