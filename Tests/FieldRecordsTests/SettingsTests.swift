import AttachmentVault
import Dispatch
import DocumentStore
import FieldModels
import FieldRecords
import Foundation
import Testing

@Suite struct SettingsTests {
    private func folder() -> FieldFolder {
        FieldFolder(path: FileManager.default.temporaryDirectory.appendingPathComponent("s-\(UUID().uuidString)").path)
    }

    @Test(arguments: [
        ("wss://gateway.example:4984/field", "wss://gateway.example:4984/field"),
        ("gateway.example:4984/field/", "wss://gateway.example:4984/field"),
        ("http://127.0.0.1:4984/field", "ws://127.0.0.1:4984/field"),
        (" HTTPS://a.example/db ", "wss://a.example/db"),
    ])
    func addressesAreReadAsPeopleWriteThem(text: String, expected: String) throws {
        #expect(try SettingsError.gateway(text).absoluteString == expected)
    }

    @Test(arguments: [
        "", "gateway.example", "wss://gateway.example/", "ftp://a/b", "wss://u:p@a.example/db", "wss:///db",
    ])
    func otherAddressesAreRefused(text: String) {
        #expect(throws: SettingsError.self) { try SettingsError.gateway(text) }
    }

    @Test func thePasswordIsKeptSealed() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let field = try FieldDatabase.create(at: folder, key: .passphrase("correct horse"))
        var settings = try FolderSettings(of: folder)
        settings.gateway = try SettingsError.gateway("ws://a/b")
        settings.trust = .pinned([1, 2, 3])
        try field.signIn.keep(Credentials(user: "mara", password: "hunter2hunter2"), in: &settings)
        try settings.save(in: folder)
        try field.close()
        let text = try String(contentsOf: folder.settingsFile, encoding: .utf8)
        #expect(text.contains("mara") && !text.contains("hunter2"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.settingsFile.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let again = try FieldDatabase.open(at: folder, key: .passphrase("correct horse"))
        let read = try FolderSettings(of: folder)
        #expect(read == settings)
        #expect(try again.signIn.credentials(in: read) == Credentials(user: "mara", password: "hunter2hunter2"))
        // This gateway's password must not be sent to another one.
        var moved = read
        moved.gateway = try SettingsError.gateway("ws://evil/b")
        #expect(throws: SettingsError.self) { try again.signIn.credentials(in: moved) }
    }

    @Test func aFileThatCannotBeReplacedLeavesNothingBehind() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let file = folder.url.appendingPathComponent("taken")
        try FileManager.default.createDirectory(
            at: file.appendingPathComponent("by a folder"), withIntermediateDirectories: true)
        #expect(throws: (any Error).self) { try FieldFolder.writePrivately([1], to: file) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["taken"])
    }

    /// Each writes to its own temporary file: the result is one of the two, and complete.
    @Test func twoThatWriteAtOnceLeaveAWholeFile() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("file")
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            do {
                try FieldFolder.writePrivately(
                    [UInt8](repeating: UInt8(number), count: 5_000), to: file, isDurable: false)
            } catch {
                Issue.record(error)
            }
        }
        let bytes = Array(try Data(contentsOf: file))
        #expect(bytes.count == 5_000 && Set(bytes).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
    }

    @Test func aWrongPassphraseOpensNothing() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try FieldDatabase.create(at: folder, key: .passphrase("correct horse")).close()
        let error = #expect(throws: StoreError.self) {
            try FieldDatabase.open(at: folder, key: .passphrase("wrong horse"))
        }
        #expect(error?.code == .wrongPassphrase)
        #expect(try FieldDatabase.needsPassphrase(folder))
    }

    @Test func aFolderIsMadeOnce() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        #expect(throws: SettingsError.self) { try FieldDatabase.open(at: folder, key: .keyFile) }
        try FieldDatabase.create(at: folder, key: .keyFile).close()
        let error = #expect(throws: SettingsError.self) { try FieldDatabase.create(at: folder, key: .keyFile) }
        #expect(error?.code == .alreadyInitialized)
    }

    @Test func lostSettingsAreNamedAndMadeAgain() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let field = try FieldDatabase.create(at: folder, key: .keyFile)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307))
        let hill = District("hill") ?? .unknown
        try field.sites.add(Site(id: "mill", name: "Old mill", address: Address(), district: hill), by: author)
        try field.close()
        try FileManager.default.removeItem(at: folder.settingsFile)
        let reading = #expect(throws: SettingsError.self) { try FolderSettings(of: folder) }
        let opening = #expect(throws: SettingsError.self) { try FieldDatabase.open(at: folder, key: .keyFile) }
        #expect(reading?.code == .noSettings && opening?.code == .noSettings)
        #expect(reading?.advised.marks.map(\.advice) == [.makeFolder, .signIn])
        let again = try FieldDatabase.create(at: folder, key: .keyFile)
        #expect(try again.sites.find("mill")?.name == "Old mill")
    }

    @Test(arguments: [
        ("ws://mara:hunter2@a.example/db", "ws://…@a.example/db"), ("mara:hunter2@a.example/db", "…@a.example/db"),
        ("WSS://mara:hun@ter2@a.example", "wss://…@a.example"),
        ("ws://mara:hun/ter2@a.example/db", "ws://…@a.example/db"),
        ("mara://hunter2@a.example/db", "…@a.example/db"), (" ftp://mara:hunter2@a/db", "…@a/db"),
    ])
    func aPasswordInAnAddressIsNotShown(text: String, shown: String) throws {
        let error = #expect(throws: SettingsError.self) { try SettingsError.gateway(text) }
        #expect(error?.code == .secretInGateway(shown))
        #expect(error?.description.contains("ter2") == false)
    }

    /// Unreadable trust settings must not count as weaker ones.
    @Test(arguments: [
        #"{"trust":"pinned","certificate":"%%"}"#, #"{"trust":"pinned"}"#, #"{"trust":"pinnedAuthority"}"#,
        #"{"gateway":"ws://["}"#,
    ])
    func whatCannotBeReadIsNotReplaced(text: String) throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try FieldDatabase.create(at: folder, key: .keyFile).close()
        try Data(text.utf8).write(to: folder.settingsFile)
        let error = #expect(throws: SettingsError.self) { try FolderSettings(of: folder) }
        guard case .unreadable? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func credentialsAreNeverDescribed() {
        let credentials = Credentials(user: "mara", password: "hunter2")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!"\(credentials) \(dumped) \(String(reflecting: credentials))".contains("hunter2"))
    }

    @Test(arguments: [
        ("~/photos/a.png", "/field/mara", "/field/mara/photos/a.png"), ("~", "/field/mara", "/field/mara"),
        ("a~b", "/field/mara", "a~b"), ("/x/~", "/field/mara", "/x/~"),
    ]) func aTildeIsTheHomeThatTheShellKnows(path: String, home: String, expected: String) {
        #expect(HomeFolder.expanding(path, home: home) == expected)
    }

    /// A crash leaves the file under its temporary name, with the sealed password in it.
    @Test func whatACrashLeftIsRemoved() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try FieldDatabase.create(at: folder, key: .keyFile).close()
        func file(_ name: String, hoursAgo: Double) throws -> URL {
            let file = folder.url.appendingPathComponent(name)
            try Data("{}".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3_600 * hoursAgo)], ofItemAtPath: file.path)
            return file
        }
        let left = try file(".settings.json.\(UUID().uuidString).new", hoursAgo: 2)
        let others = [
            try file(".settings.json.\(UUID().uuidString).new", hoursAgo: 0.1),
            try file(".plan.new", hoursAgo: 2), try file("settings.json.\(UUID().uuidString).new", hoursAgo: 2),
        ]
        try FieldDatabase.open(at: folder, key: .keyFile).close()
        #expect(!FileManager.default.fileExists(atPath: left.path))
        #expect(others.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    }
}
