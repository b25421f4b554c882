import DocumentValues
import Foundation
import GatewayCore
@testable import GatewayServer
import Glibc
import SQLiteStorage
import Synchronization
import Testing

/// Restoring a backup: its refusals, and the state of the storage after them.
@Suite(.serialized) struct RestoreTests {
    @Test(.timeLimit(.minutes(1))) func whatIsThereIsNotOverwritten() async throws {
        let folder = BackupPaths.temporary("backup")
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
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("restored"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        let configuration = GatewayConfiguration(storagePath: storage)
        try await BackupPaths.serve(storage) { gateway in
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
        try await BackupPaths.serve(storage) { _ in }
        let later = try GatewayBackup(folder: folder).restore(nil, to: configuration, replacing: true)
        #expect(later.first?.users == [] && later.first?.served == later.first?.old)
        try Administrators.set("olga", password: "one", storage: folder)
        #expect(try GatewayBackup(folder: folder).administratorsLeftOut(of: configuration) == ["olga"])
    }

    /// Who ended a session had a reason, such as a lost machine.
    @Test(.timeLimit(.minutes(1))) func sessionsDoNotComeBack() async throws {
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("restored"))
        defer { for path in [folder, storage] { try? FileManager.default.removeItem(atPath: path) } }
        let cookie = Mutex("")
        @Sendable func status(_ gateway: TestGateway) async throws -> Int {
            try await RawClient.request(
                "GET", "\(TestTeam.collection)/_changes", port: gateway.publicPort,
                headers: [("Cookie", cookie.withLock { $0 })]
            ).status
        }
        try await BackupPaths.serve(storage) { gateway in
            let team = try await TestTeam(gateway)
            let session = try await team.user("alice", "POST", "/db/_session")
            let header = try #require(session.header("Set-Cookie")?.split(separator: ";").first)
            cookie.withLock { $0 = String(header) }
            #expect(try await status(gateway) == 200)
            _ = try GatewayBackup(folder: folder).make(of: GatewayConfiguration(storagePath: storage))
        }
        _ = try GatewayBackup(folder: folder).restore(
            nil, to: GatewayConfiguration(storagePath: storage), replacing: true)
        try await BackupPaths.serve(storage) { gateway in
            let answer = try await status(gateway)
            #expect(answer == 401)
        }
    }

    /// It is as large as the database, and nobody would look for it.
    @Test(.timeLimit(.minutes(1))) func whatAKilledRestorationHasLeftGoesWithTheNextStart() async throws {
        let storage = BackupPaths.temporary("killed")
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let files = FileManager.default
        // Those behind the first are no database's.
        let names = [".incoming-db", ".incoming-A", ".incoming", ".replaced-db-1"]
        for name in names {
            try files.createDirectory(atPath: "\(storage)/\(name)", withIntermediateDirectories: true)
            try Data(count: 9).write(to: URL(fileURLWithPath: "\(storage)/\(name)/gateway.sqlite3"))
        }
        try await BackupPaths.serve(storage) { _ in
            let left = names.filter { FileManager.default.fileExists(atPath: "\(storage)/\($0)") }
            #expect(left == Array(names.dropFirst()))
        }
        #expect(try BackupCopy.removeUnfinished(storage: storage).isEmpty)
    }

    /// A manifest comes from anywhere; its names become paths.
    @Test(arguments: ["../escaped", ".lock", "administrators.json", "A", "a/b", ""])
    func aNameThatIsNoDatabasesIsRefused(name: String) throws {
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("storage"))
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
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("storage"))
        let error = #expect(throws: ConfigurationError.self) {
            _ = try GatewayBackup(folder: folder).restore(
                nil, to: GatewayConfiguration(storagePath: storage), replacing: false)
        }
        #expect(error?.file == folder && error?.problem == "is not there")
        #expect(!FileManager.default.fileExists(atPath: storage))
    }

    /// All copies are checked before the first database is replaced.
    @Test(.timeLimit(.minutes(1))) func oneDamagedCopyLeavesEverythingAsItWas() async throws {
        let folder = BackupPaths.temporary("backup")
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

    /// Half of them are the backup's then, and the operator needs to know which.
    @Test(.timeLimit(.minutes(1))) func whatIsRestoredIsNamedWhereTheNextOneFails() async throws {
        let folder = BackupPaths.temporary("backup")
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
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("restored"))
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
        let (folder, account) = (BackupPaths.temporary("backup"), BackupPaths.temporary("account"))
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

    /// The administrators come with the databases, or not at all.
    @Test(.timeLimit(.minutes(1))) func administratorsDoNotComeAlone() async throws {
        let (folder, storage) = (BackupPaths.temporary("backup"), BackupPaths.temporary("restored"))
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
