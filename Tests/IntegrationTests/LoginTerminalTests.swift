import Foundation
import Glibc
import Testing
import WireSupport

/// Signing in at a gateway with a certificate of its own, as a user who knows its address and a password.
@Suite(.serialized) struct LoginTerminalTests {
    /// A gateway that `init` set up, with a field database and a user.
    private final class Station {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("login-\(UUID().uuidString)")
        let port = freePort()
        let fingerprint: String
        private let adminPort = freePort()
        private let running: RunningProgram

        var url: String { "wss://127.0.0.1:\(port)/field" }

        /// - Parameters:
        ///   - other: the gateway that was moved here with its certificate.
        ///   - own: a certificate that signed itself, instead of the one of an authority.
        init(movedFrom other: Station? = nil, selfSigned own: TestCertificate? = nil) throws {
            let made = try Program.gateway.run(["init", "--folder", folder.path, "--host", "127.0.0.1"])
            fingerprint = made.out.firstMatch(of: /SHA-256\): +(\S+)/).map { String($0.output.1) } ?? "none"
            let config = folder.path + "/gateway.yaml"
            let text = try String(contentsOfFile: config, encoding: .utf8)
                .replacing("0.0.0.0:4984", with: "127.0.0.1:\(port)").replacing(":4985", with: ":\(adminPort)")
                .replacing(":4986", with: ":\(freePort())").replacing(
                    "_authentication: true", with: "_authentication: false")
            try Data(text.utf8).write(to: URL(fileURLWithPath: config))
            if let other {
                for name in ["cert.pem", "key.pem", "authority.pem"] {
                    try Data(contentsOf: other.folder.appendingPathComponent(name))
                        .write(to: folder.appendingPathComponent(name))
                }
            }
            if let own {
                for name in ["authority.pem", "authority-key.pem"] {
                    try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                }
                try Data((own.pem + "\n").utf8).write(to: folder.appendingPathComponent("cert.pem"))
                try Data((own.keyPEM + "\n").utf8).write(to: folder.appendingPathComponent("key.pem"))
            }
            running = try Program.gateway.start(["serve", "--config", config])
            try #require(try eventually { try put("/field/", try Self.database) == "201" }, "\(running.errorsSoFar)")
            try #require(try put("/field/_user/mara", #"{"password":"secret"}"#) == "201")
        }

        func renew() throws -> Program.Output {
            let output = try Program.gateway.run(["certificate", "renew", "--config", folder.path + "/gateway.yaml"])
            running.signal(SIGHUP)
            return output
        }

        /// Base64 of its DER.
        var authority: String {
            get throws {
                try String(contentsOfFile: folder.path + "/authority.pem", encoding: .utf8).split(separator: "\n")
                    .filter { !$0.hasPrefix("-----") }.joined()
            }
        }

        deinit {
            running.signal(SIGKILL)
            try? FileManager.default.removeItem(at: folder)
        }

        private static var database: String {
            get throws {
                let kinds = Gateway.kinds.map { "\"\($0)\": {}" }.joined(separator: ",")
                return "{\"scopes\":{\"field\":{\"collections\":{\(kinds)}}}}"
            }
        }

        private func put(_ path: String, _ body: String) throws -> String {
            try RunningProgram(
                URL(fileURLWithPath: "/usr/bin/env"),
                [
                    "curl", "--silent", "--insecure", "--max-time", "20", "--output", "/dev/null", "--write-out",
                    "%{http_code}", "--request", "PUT", "--json", body, "https://127.0.0.1:\(adminPort)\(path)",
                ], input: ""
            ).finish(limit: 30).out
        }
    }

    /// Its authority is what is trusted, so that nobody compares fingerprints again when the gateway moves.
    @Test(.timeLimit(.minutes(3))) func theSameAuthorityIsKnownAtAnotherAddress() throws {
        let station = try Station()
        let mara = try FieldLaptop()
        let password = try mara.file("password", "secret\n")
        let first = try mara.run(
            "login", station.url, "mara", "--password-file", password, "--pinned-cert",
            station.folder.path + "/authority.pem")
        #expect(first.status == 0, "\(first.err)")
        let moved = try Station(movedFrom: station)
        let again = try mara.run("login", moved.url, "mara", "--password-file", password)
        #expect(again.status == 0, "\(again.err)")
        #expect(try mara.run("sync").status == 0)
        let other = try Station()
        let refused = try mara.run("login", other.url, "mara", "--password-file", password)
        #expect(refused.status != 0 && refused.err.contains("Nothing was sent"), "\(refused.err)")
    }

    /// It lies beside the authority's file, and would be of no use after a renewal.
    @Test(.timeLimit(.minutes(3))) func theGatewaysOwnFilePinsItsAuthority() throws {
        let station = try Station()
        let mara = try FieldLaptop()
        let login = try mara.run(
            "login", station.url, "mara", "--password-file", try mara.file("password", "secret\n"), "--pinned-cert",
            station.folder.path + "/cert.pem")
        #expect(login.status == 0 && (login.out + login.err).contains("also has the authority"), "\(login.err)")
        let settings = try String(contentsOfFile: mara.folder + "/settings.json", encoding: .utf8)
        #expect(try settings.contains(station.authority))
    }

    /// What signed itself is no longer self-signed when it is renewed: what is kept is the certificate, not that.
    @Test(.timeLimit(.minutes(3))) func aSelfSignedCertificateIsRenewed() throws {
        let own = try TestCertificate(name: "field", isAuthority: true, days: 900)
        let station = try Station(selfSigned: own)
        let (mara, earlier) = (try FieldLaptop(), try FieldLaptop())
        for laptop in [mara, earlier] {
            let password = try laptop.file("password", "secret\n")
            let login = try laptop.run("login", station.url, "mara", "--password-file", password, "--self-signed")
            #expect(login.status == 0, "\(login.err)")
        }
        let settings = URL(fileURLWithPath: earlier.folder + "/settings.json")
        let kept = try String(contentsOf: settings, encoding: .utf8)
        let encoded = Data(try own.der).base64EncodedString()
        #expect(kept.contains("\"trust\":\"pinned\"") && kept.contains(encoded), "\(kept)")
        // As it was kept before: that any certificate will do that signed itself.
        try Data(kept.replacing("\"trust\":\"pinned\"", with: "\"trust\":\"selfSigned\"").utf8).write(to: settings)
        #expect(try earlier.run("sync").status == 0)
        let renewed = try station.renew()
        #expect(renewed.status == 0 && renewed.out.contains("again, once: fieldbook login"))
        #expect(try eventually(within: 60) { try earlier.run("sync").status != 0 })
        let refused = try earlier.run("sync")
        #expect(refused.err.contains("sign in again: login"), "\(refused.err)")
        let sync = try mara.run("sync")
        #expect(sync.status == 0, "\(sync.err)")
        #expect(try !station.renew().out.contains("sign in again"))
    }

    @Test(.timeLimit(.minutes(3))) func aCertificateIsShownAndRemembered() throws {
        let station = try Station()
        let mara = try FieldLaptop()
        // Typed with ws, and with a wrong password first: nothing has to be typed again that was right.
        let terminal = try mara.terminal("login", "ws://127.0.0.1:\(station.port)/field", "mara", columns: 100)
        try terminal.waitForPrompt("Password")
        try terminal.enter("wrong", isHidden: true)
        try terminal.waitFor("The gateway speaks TLS at that port: use wss://127.0.0.1:\(station.port)/field")
        try terminal.enter("y")
        try terminal.waitFor(station.fingerprint)
        try terminal.waitForPrompt("Trust it? y or n")
        try terminal.enter("y")
        try terminal.waitFor("does not accept your name and password")
        try terminal.waitForPrompt("Password")
        try terminal.enter("secret", isHidden: true)
        try terminal.waitFor("Signed in at wss://127.0.0.1")
        #expect(try terminal.exitStatus() == 0)
        #expect(try mara.run("sync").status == 0)
        let settings = try String(contentsOfFile: mara.folder + "/settings.json", encoding: .utf8)
        #expect(settings.contains("\"trust\":\"pinned\""))
        // The authority is kept, so that the gateway can renew its certificate.
        #expect(try settings.contains(station.authority))
        // Without a terminal no question is possible: nothing is trusted, and the message has the fingerprint.
        let other = try FieldLaptop()
        let silent = try other.run(
            "login", "wss://127.0.0.1:\(station.port)/field", "mara", "--password-file",
            try other.file("password", "secret\n"))
        #expect(silent.status == 1 && silent.err.contains(station.fingerprint))
        // What was mended stays mended, also where the login fails in the end.
        let third = try FieldLaptop()
        let failing = try third.terminal("login", "ws://127.0.0.1:\(station.port)/field", "mara", columns: 100)
        try failing.waitForPrompt("Password")
        try failing.enter("wrong", isHidden: true)
        try failing.waitFor("The gateway speaks TLS at that port")
        try failing.enter("y")
        try failing.waitForPrompt("Trust it? y or n")
        try failing.enter("n")
        #expect(try failing.exitStatus() == 1)
        let again = try third.terminal("login", columns: 100)
        try again.waitForPrompt("Gateway [wss://127.0.0.1:\(station.port)/field]:")
        try again.press(.controlC)
        _ = try again.exitStatus()
        let unknown = try mara.run(
            "login", "wss://127.0.0.1:\(station.port)/nowhere", "mara", "--password-file",
            try mara.file("password", "secret\n"))
        #expect(unknown.status == 1)
    }

    @Test(.timeLimit(.minutes(2))) func aPassphraseIsAskedForUntilItIsRight() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("init-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let making = try TmuxTerminal(command: ["init", "--folder", folder.path])
        for wrong in ["short", "long enough", "too short"] {
            try making.waitForPrompt("Passphrase")
            try making.enter(wrong, isHidden: true)
            if wrong.count >= 8 {
                try making.waitForPrompt("Again:")
                try making.enter("another", isHidden: true)
                try making.waitFor("They differ.")
            } else {
                try making.waitFor("At least 8 characters")
            }
        }
        for prompt in ["Passphrase", "Again:"] {
            try making.waitForPrompt(prompt)
            try making.enter("correct horse", isHidden: true)
        }
        try making.waitFor("The text of records is not encrypted", within: 60)
        #expect(try making.exitStatus() == 0)
        let opening = try TmuxTerminal(command: ["quarantine", "--folder", folder.path])
        for count in 1...4 {
            try opening.waitForPrompt("Passphrase", within: 60)
            try opening.enter("wrong \(count)", isHidden: true)
            try opening.waitFor("That is not the passphrase", within: 60)
        }
        #expect(try opening.transcript.joined(separator: " ").contains("passphrase --forgotten"))
        try opening.waitForPrompt("Passphrase")
        try opening.enter("correct horse", isHidden: true)
        try opening.waitFor("Nothing is in quarantine.", within: 60)
        #expect(!(try opening.transcript.joined().contains("correct horse")))
    }

    @Test(.timeLimit(.minutes(2))) func aPassphraseIsChanged() throws {
        let mara = try FieldLaptop(usesPassphrase: true)
        let file = try mara.file("new", "quite another one\n")
        #expect(try mara.run("passphrase", "--new-passphrase-file", file).status == 0)
        let old = try mara.run("quarantine")
        #expect(old.status == 1 && old.err.lowercased().contains("passphrase"))
        let new = try Program.fieldbook.run(["quarantine", "--folder", mara.folder, "--passphrase-file", file])
        #expect(new.status == 0)
    }
}
