import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// The unit that `service install` writes.
@Suite struct ServiceUnitTests {
    private func unit(_ folder: String, isDefault: Bool = false) -> ServiceUnit {
        ServiceUnit(program: "/usr/bin/fieldbook", folder: FieldFolder(path: folder), isDefault: isDefault)
    }

    @Test(arguments: [
        ("/home/mara/records", "fieldbook-sync-home-mara-records.service"),
        ("/home/mara/.local/my records", #"fieldbook-sync-home-mara-.local-my\x20records.service"#),
        ("/srv/a-b", #"fieldbook-sync-srv-a\x2db.service"#),
        ("/srv//\u{301}x/", #"fieldbook-sync-srv-\xcc\x81x.service"#),
    ])
    func itIsNamedAfterItsFolder(folder: String, name: String) {
        #expect(unit(folder).name == name)
        #expect(unit(folder, isDefault: true).name == "fieldbook-sync.service")
    }

    /// After an update, in a shell that was there before.
    @Test func aProgramThatWasReplacedIsNamedWithoutTheSystemsRemark() throws {
        #expect(ServiceUnit.program(ofLink: "/usr/bin/fieldbook") == "/usr/bin/fieldbook")
        #expect(ServiceUnit.program(ofLink: "/usr/bin/fieldbook (deleted)") == "/usr/bin/fieldbook")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString) (deleted)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(ServiceUnit.program(ofLink: file.path) == file.path)
    }

    @Test func systemdGetsTheArgumentsAsTheyAre() {
        var unit = unit("/home/mara/100 % \"new\" $HOME")
        unit.passphraseFile = "/home/mara/pass"
        #expect(
            unit.text.contains(
                #"ExecStart=/usr/bin/fieldbook sync --continuous --folder "/home/mara/100 %% \"new\" $$HOME" "#
                    + "--passphrase-file /home/mara/pass\n"))
        #expect(unit.text.contains("Type=notify\n") && unit.text.contains("ExecReload=/bin/kill -HUP $MAINPID\n"))
    }

    /// A line end that a sign joins into one character would begin a setting of the folder's choice.
    @Test(arguments: ["\n", "\r\n", "\r\n\u{301}", "%\u{301}", "\\\u{301}"])
    func aFolderIsOneLineOfTheUnit(text: String) throws {
        let lines = unit("/srv/a\(text)ExecStartPre=x").text.utf8.split(separator: UInt8(ascii: "\n"))
            .map { String($0) ?? "" }
        #expect(!lines.contains { $0.utf8.starts(with: "ExecStartPre".utf8) })
        let description = try #require(lines.first { $0.utf8.starts(with: "Description".utf8) })
        #expect(
            !description.utf8.contains(0x0D)
                && description.utf8.reversed().starts(with: "ExecStartPre=x".utf8.reversed()))
        for sign in ["%", "\\"] as [Unicode.Scalar] where text.unicodeScalars.contains(sign) {
            #expect(description.unicodeScalars.count { $0 == sign } == 2, "\(description)")
        }
    }

    /// What packages install, and what the command writes, differ in nothing but the folder.
    @Test func thePackagedUnitIsTheSame() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let packaged = try String(
            contentsOf: root.appendingPathComponent("systemd/fieldbook-sync.service"), encoding: .utf8)
        func settings(_ text: String) -> [Substring] {
            text.split(separator: "[Service]")[1].split(separator: "\n").filter { !$0.hasPrefix("ExecStart=") }
        }
        #expect(settings(unit("/srv/records").text) == settings(packaged))
    }

    @Test func itLiesWhereSystemdLooks() {
        let unit = unit("/srv/records", isDefault: true)
        #expect(unit.file(["HOME": "/home/mara"]).path == "/home/mara/.config/systemd/user/fieldbook-sync.service")
        #expect(unit.file(["XDG_CONFIG_HOME": "/etc/mara"]).path == "/etc/mara/systemd/user/fieldbook-sync.service")
    }

    /// Without systemd the unit is there, and the way out is shown.
    @Test func withoutSystemdTheWayOutIsShown() async throws {
        let shell = try Shell(["HOME": "/nonexistent", "PATH": "/nonexistent"], home: true)
        let folder = shell.session.folder.url.path
        let transcript = try await shell.type(
            "service install", "service status", "service uninstall", "service status")
        let unit = ServiceUnit(program: "", folder: shell.session.folder, isDefault: false)
        let file = shell.root.appendingPathComponent("config/systemd/user/\(unit.name)").path
        #expect(transcript.contains("Wrote \(file), but systemd has not started it: There is no systemctl here."))
        #expect(transcript.contains("systemctl --user enable --now"))
        #expect(transcript.contains("in a window of its own: fieldbook sync --continuous"))
        // A path is wrapped wherever the terminal ends.
        let shown = transcript.filter { !$0.isWhitespace }
        #expect(shown.contains("Unit\(file)systemdcannotbeasked"))
        #expect(shown.contains("Removed\(file)."))
        #expect(transcript.contains("Unit      none; make it with: fieldbook service install\n"))
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(folder.hasSuffix("records"))
    }

    /// A systemctl with the answers that a test gives it.
    @Test func systemdIsAskedToStartIt() async throws {
        let shell = try Shell(["PATH": ""], home: true)
        let bin = shell.root.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let systemctl = bin.appendingPathComponent("systemctl")
        try Data("#!/bin/sh\necho \"$@\" >>'\(shell.root.path)/asked'\n".utf8).write(to: systemctl)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: systemctl.path)
        shell.session.environment.variables["PATH"] = bin.path
        let transcript = try await shell.type("service install", "service uninstall")
        #expect(transcript.contains("The sync service runs, and starts whenever you log in"))
        let name = ServiceUnit(program: "", folder: shell.session.folder, isDefault: false).name
        let asked = try String(contentsOf: shell.root.appendingPathComponent("asked"), encoding: .utf8)
        let commands = asked.split(separator: "\n").map {
            $0.replacing("--user --no-pager --no-ask-password ", with: "")
        }
        #expect(
            commands == [
                "daemon-reload", "enable \(name)", "restart \(name)", "disable --now \(name)", "daemon-reload",
            ])
    }
}
