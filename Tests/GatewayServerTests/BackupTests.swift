import DocumentValues
import Foundation
import GatewayCore
@testable import GatewayServer
import Glibc
import SQLiteStorage
import Synchronization
import Testing

/// Backups of a gateway that is being written to, and restoring them.
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

    private static func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)").path
    }

    /// Runs `body` against a gateway on storage that is there.
    private func serve(
        _ storage: String, _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        try await TestGateway.run {
            $0.storagePath = storage
        } _: {
            try await body($0)
        }
    }

    @Test(.timeLimit(.minutes(2))) func aBackupMadeWhileWritesGoOnIsWhole() async throws {
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("restored"))
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
        try await serve(storage) { gateway in
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

    @Test(.timeLimit(.minutes(1))) func whatIsThereIsNotOverwritten() async throws {
        let folder = Self.temporary("backup")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            let backup = GatewayBackup(folder: folder)
            _ = try backup.make(of: configuration)
            #expect(throws: ConfigurationError.self) { _ = try backup.make(of: configuration) }
            // The gateway is running.
            #expect(throws: ConfigurationError.self) { _ = try backup.restore(nil, to: configuration, replacing: true) }
            let other = GatewayConfiguration(storagePath: gateway.folder.path + "/other")
            _ = try backup.restore(nil, to: other, replacing: false)
            #expect(throws: ConfigurationError.self) { _ = try backup.restore(nil, to: other, replacing: false) }
            // One that is named twice is restored once.
            let restored = try backup.restore(["db", "db"], to: other, replacing: true)
            let old = try #require(restored.first?.old)
            #expect(restored.count == 1 && FileManager.default.fileExists(atPath: "\(other.storagePath)/db"))
            #expect(FileManager.default.fileExists(atPath: old + "/gateway.sqlite3"))
            #expect(throws: ConfigurationError.self) { _ = try backup.restore(["x"], to: other, replacing: true) }
        }
    }

    /// Who was shut out since the backup is let in again: an administrator has to hear of it.
    @Test(.timeLimit(.minutes(1))) func usersWhoAreAsTheyWereAreNamed() async throws {
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("restored"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        let configuration = GatewayConfiguration(storagePath: storage)
        try await serve(storage) { gateway in
            let team = try await TestTeam(gateway)
            for name in ["carl", "dora", "eve"] {
                try team.expect(201, try await team.admin("PUT", "/db/_user/\(name)", ["password": "pass-of-then"]))
            }
            _ = try GatewayBackup(folder: folder).make(of: configuration)
            try team.expect(200, try await team.admin("PUT", "/db/_user/carl", ["disabled": true]))
            try team.expect(200, try await team.admin("DELETE", "/db/_user/dora"))
            try team.expect(200, try await team.admin("PUT", "/db/_user/eve", ["password": "another one"]))
            try team.expect(201, try await team.admin("PUT", "/db/_user/fred", ["password": "another one"]))
            try team.expect(200, try await team.admin("PUT", "/db/_user/alice", ["admin_roles": ["boss"]]))
            try team.expect(201, try await team.admin("PUT", "/db/_role/crew", ["admin_channels": ["north"]]))
        }
        let restored = try GatewayBackup(folder: folder).restore(nil, to: configuration, replacing: true)
        #expect(restored.first?.served == restored.first?.old)
        #expect(
            restored.first?.users == [
                "alice: has no role instead of boss", "carl: may sign in again",
                "dora: was deleted after the backup, and exists again", "eve: has the password of the backup",
                "fred: was made after the backup, and is gone", "the role crew: was made after the backup, and is gone",
            ])
        // The first backup was the wrong one; nobody has changed a user since.
        for _ in 1...2 {
            let again = try GatewayBackup(folder: folder).restore(nil, to: configuration, replacing: true)
            #expect(again.first?.served == restored.first?.old && again.first?.old != restored.first?.old)
            #expect(again.first?.users == restored.first?.users)
        }
        // Those who were named then are as an administrator leaves them once the gateway has started.
        try await serve(storage) { _ in }
        let later = try GatewayBackup(folder: folder).restore(nil, to: configuration, replacing: true)
        #expect(later.first?.users == [] && later.first?.served == later.first?.old)
        try Administrators.set("olga", password: "one", storage: folder)
        #expect(try GatewayBackup(folder: folder).administratorsLeftOut(of: configuration) == ["olga"])
    }

    /// Who ended a session had a reason, such as a lost machine.
    @Test(.timeLimit(.minutes(1))) func sessionsDoNotComeBack() async throws {
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("restored"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        let cookie = Mutex("")
        @Sendable func status(_ gateway: TestGateway) async throws -> Int {
            try await RawClient.request(
                "GET", "\(TestTeam.collection)/_changes", port: gateway.publicPort,
                headers: [("Cookie", cookie.withLock { $0 })]
            ).status
        }
        try await serve(storage) { gateway in
            let team = try await TestTeam(gateway)
            let session = try await team.user("alice", "POST", "/db/_session")
            let header = try #require(session.header("Set-Cookie")?.split(separator: ";").first)
            cookie.withLock { $0 = String(header) }
            #expect(try await status(gateway) == 200)
            _ = try GatewayBackup(folder: folder).make(of: GatewayConfiguration(storagePath: storage))
        }
        _ = try GatewayBackup(folder: folder).restore(
            nil, to: GatewayConfiguration(storagePath: storage), replacing: true)
        try await serve(storage) { gateway in
            let answer = try await status(gateway)
            #expect(answer == 401)
        }
    }

    /// Nothing is removed that no backup has made, and of two backups at once one is refused.
    @Test(.timeLimit(.minutes(1))) func onlyAnInterruptedBackupIsTakenOver() async throws {
        let folder = Self.temporary("backup")
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
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("storage"))
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

    /// It is as large as the database, and nobody would look for it.
    @Test(.timeLimit(.minutes(1))) func whatAKilledRestorationHasLeftGoesWithTheNextStart() async throws {
        let storage = Self.temporary("killed")
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let files = FileManager.default
        // Those behind the first are no database's.
        let names = [".incoming-db", ".incoming-A", ".incoming", ".replaced-db-1"]
        for name in names {
            try files.createDirectory(atPath: "\(storage)/\(name)", withIntermediateDirectories: true)
            try Data(count: 9).write(to: URL(fileURLWithPath: "\(storage)/\(name)/gateway.sqlite3"))
        }
        try await serve(storage) { _ in
            let left = names.filter { FileManager.default.fileExists(atPath: "\(storage)/\($0)") }
            #expect(left == Array(names.dropFirst()))
        }
        #expect(try BackupCopy.removeUnfinished(storage: storage).isEmpty)
    }

    /// A manifest comes from anywhere; its names become paths.
    @Test(arguments: ["../escaped", ".lock", "administrators.json", "A", "a/b", ""])
    func aNameThatIsNoDatabasesIsRefused(name: String) throws {
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("storage"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let manifest: JSONObject = [
            "format": 1, "databases": .object([name: ["size": 1, "sha256": "a", "sequence": 1]]),
        ]
        try Data(manifest.bytes).write(to: URL(fileURLWithPath: "\(folder)/manifest.json"))
        let error = #expect(throws: BackupProblem.self) {
            _ = try GatewayBackup(folder: folder).restore(
                nil, to: GatewayConfiguration(storagePath: storage), replacing: true)
        }
        #expect(error == .noDatabaseName(name))
    }

    @Test func aBackupThatIsNotThereIsNoDamagedOne() {
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("storage"))
        let error = #expect(throws: ConfigurationError.self) {
            _ = try GatewayBackup(folder: folder).restore(
                nil, to: GatewayConfiguration(storagePath: storage), replacing: false)
        }
        #expect(error?.file == folder && error?.problem == "is not there")
        #expect(!FileManager.default.fileExists(atPath: storage))
    }

    /// All copies are checked before the first database is replaced.
    @Test(.timeLimit(.minutes(1))) func oneDamagedCopyLeavesEverythingAsItWas() async throws {
        let folder = Self.temporary("backup")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/zbad/", [:]))
            let backup = GatewayBackup(folder: folder)
            _ = try backup.make(of: GatewayConfiguration(storagePath: gateway.folder.path))
            let other = GatewayConfiguration(storagePath: gateway.folder.path + "/other")
            _ = try backup.restore(nil, to: other, replacing: false)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: "\(folder)/zbad/gateway.sqlite3"))
            try handle.seek(toOffset: 4_096)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 8_192))
            try handle.close()
            let before = try FileManager.default.contentsOfDirectory(atPath: other.storagePath).sorted()
            let error = #expect(throws: BackupProblem.self) {
                _ = try backup.restore(nil, to: other, replacing: true)
            }
            #expect(error?.description.contains("'zbad'") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: other.storagePath).sorted() == before)
            // So are the administrators.
            let administrators = "\(folder)/\(Administrators.fileName)"
            try Data("{".utf8).write(to: URL(fileURLWithPath: administrators))
            let damage = #expect(throws: ConfigurationError.self) {
                _ = try backup.restore(["db"], to: other, replacing: true)
            }
            #expect(
                damage?.description.contains("\(administrators): cannot be read, so nothing") == true,
                "\(damage as Any)"
            )
            #expect(try FileManager.default.contentsOfDirectory(atPath: other.storagePath).sorted() == before)
        }
    }

    /// As with a database: a rotation would replace the backups that have the file whole.
    @Test(.timeLimit(.minutes(1))) func damagedAdministratorsStopABackup() async throws {
        let folder = Self.temporary("backup")
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

    /// Half of them are the backup's then, and the operator needs to know which.
    @Test(.timeLimit(.minutes(1))) func whatIsRestoredIsNamedWhereTheNextOneFails() async throws {
        let folder = Self.temporary("backup")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/zlast/", [:]))
            let backup = GatewayBackup(folder: folder)
            _ = try backup.make(of: GatewayConfiguration(storagePath: gateway.folder.path))
            let other = GatewayConfiguration(storagePath: gateway.folder.path + "/other")
            _ = try backup.restore(nil, to: other, replacing: false)
            // The old one cannot be moved there.
            let now = Int(Date().timeIntervalSince1970)
            for second in now...now + 30 {
                for number in [""] + (2...9).map({ "-\($0)" }) {
                    let taken = "\(other.storagePath)/.replaced-zlast-\(second)\(number)"
                    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
                }
            }
            let error = #expect(throws: ConfigurationError.self) {
                _ = try backup.restore(nil, to: other, replacing: true)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("Restored: db (the old one is \(other.storagePath)/.replaced-db-"))
            #expect(text.contains("Not restored: zlast"))
            let left = try FileManager.default.contentsOfDirectory(atPath: other.storagePath)
            #expect(!left.contains { $0.utf8.starts(with: ".incoming".utf8) })
            #expect(FileManager.default.fileExists(atPath: "\(other.storagePath)/zlast/gateway.sqlite3"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func aDamagedCopyIsRefused() async throws {
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("restored"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            _ = try GatewayBackup(folder: folder).make(of: GatewayConfiguration(storagePath: gateway.folder.path))
        }
        let file = URL(fileURLWithPath: folder + "/db/gateway.sqlite3")
        var data = try Data(contentsOf: file)
        data[data.count - 10] ^= 1
        try data.write(to: file)
        #expect(throws: (any Error).self) {
            _ = try GatewayBackup(folder: folder).restore(
                nil, to: GatewayConfiguration(storagePath: storage), replacing: false)
        }
        #expect(!FileManager.default.fileExists(atPath: storage + "/db"))
    }

    /// Run by root, as on a new machine, it leaves nothing that the gateway's account cannot read.
    @Test(.timeLimit(.minutes(1)), .enabled(if: geteuid() == 0)) func whatRootRestoresIsTheAccounts() async throws {
        let (folder, account) = (Self.temporary("backup"), Self.temporary("account"))
        defer { for path in [folder, account] { try? FileManager.default.removeItem(atPath: path) } }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            try Administrators.set("root", password: "a long password", storage: gateway.folder.path)
            _ = try GatewayBackup(folder: folder).make(of: GatewayConfiguration(storagePath: gateway.folder.path))
        }
        try FileManager.default.createDirectory(atPath: account, withIntermediateDirectories: true)
        try #require(chown(account, 65_534, 65_534) == 0)
        let storage = "\(account)/data"
        _ = try GatewayBackup(folder: folder).restore(
            nil, to: GatewayConfiguration(storagePath: storage), replacing: false)
        let files = try FileManager.default.subpathsOfDirectory(atPath: storage)
        #expect(files.contains(Administrators.fileName))
        for file in [storage] + files.map({ "\(storage)/\($0)" }) {
            let owner = try FileManager.default.attributesOfItem(atPath: file)[.ownerAccountID]
            #expect((owner as? NSNumber)?.intValue == 65_534, "\(file)")
        }
    }

    /// What half a backup takes would be missing for the next one.
    @Test(.timeLimit(.minutes(1))) func aBackupThatFailsLeavesNothing() async throws {
        let folder = Self.temporary("backup")
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
        let root = Self.temporary("refused")
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

    /// The administrators come with the databases, or not at all.
    @Test(.timeLimit(.minutes(1))) func administratorsDoNotComeAlone() async throws {
        let (folder, storage) = (Self.temporary("backup"), Self.temporary("restored"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let administrators = "\(gateway.folder.path)/administrators.json"
            let content = FileManager.default.contents(atPath: administrators) ?? Data("{}".utf8)
            try content.write(to: URL(fileURLWithPath: administrators))
            _ = try GatewayBackup(folder: folder).make(of: GatewayConfiguration(storagePath: gateway.folder.path))
        }
        // The old database cannot be moved out of the way.
        try FileManager.default.createDirectory(atPath: "\(storage)/db", withIntermediateDirectories: true)
        let now = Int(Date().timeIntervalSince1970)
        for second in now...now + 30 {
            for number in [""] + (2...9).map({ "-\($0)" }) {
                try FileManager.default.createDirectory(
                    atPath: "\(storage)/.replaced-db-\(second)\(number)", withIntermediateDirectories: true)
            }
        }
        #expect(throws: (any Error).self) {
            _ = try GatewayBackup(folder: folder).restore(
                nil, to: GatewayConfiguration(storagePath: storage), replacing: true)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: storage)
        let unwanted = left.filter { $0.isExactly("administrators.json") || $0.utf8.starts(with: ".incoming".utf8) }
        #expect(unwanted.isEmpty)
    }
}
