import Foundation
import Glibc
import Testing

/// What an operator asks a running gateway, and changes on it.
@Suite(.serialized) struct OperatorCommandTests {
    private static let sync =
        "function(doc){ if (doc.closed) { throw({forbidden: 'closed'}); } channel(doc.channels); }"

    private func field(_ station: Station) throws {
        try station.serve()
        let made = try station.curl(
            "/field/", port: station.adminPort, "--user", "admin:\(station.password)", "--request", "PUT", "--json",
            #"{"scopes":{"field":{"collections":{"inspections":{"sync":"\#(Self.sync)"},"sites":{}}}}}"#)
        try #require(made == " 201")
        let user = try station.command(
            "user", "set", "ann", "--channels", "field.inspections=north", "--password-file",
            try station.file("password", "secret\n"))
        try #require(user.status == 0, "\(user.err)")
    }

    private func push(_ station: Station, _ laptop: Laptop, pinning certificate: String) throws -> Program.Output {
        try Program.fieldbook.run([
            "db", "push", laptop.folder.path, "--url", "wss://127.0.0.1:\(station.publicPort)/field", "--collections",
            "field.inspections", "--user", "ann", "--password-file", station.folder.path + "/password",
            "--pinned-cert", station.folder.path + "/" + certificate, "--json",
        ])
    }

    @Test(.timeLimit(.minutes(2))) func refusalsSayWhoWhatAndWhy() throws {
        let station = try Station()
        try field(station)
        #expect(try station.command("refusals", "--json").out.isEmpty)
        let laptop = try Laptop()
        try laptop.put([("a", #"{"closed":true,"channels":["north"]}"#), ("b", #"{"channels":["north"]}"#)])
        _ = try push(station, laptop, pinning: "authority.pem")
        let refusals = try station.command("refusals", "--json").events
        #expect(refusals.count == 1)
        let refusal = try #require(refusals.first)
        #expect(refusal["user"] as? String == "ann" && refusal["document"] as? String == "a")
        #expect(refusal["collection"] as? String == "field.inspections" && refusal["reason"] as? String == "closed")
        let table = try station.command("refusals").out
        #expect(table.contains(/:\d\d  ann   field.inspections  a         403     closed/), "\(table)")
        let status = try Program.gateway.run(["status", "--config", station.config])
        #expect(status.out.contains(/field +online +\d+ +1 +1/), "\(status.out)\(status.err)")
        // They are there after a restart.
        let output = try station.stop()
        #expect(output.err.contains("collection=field.inspections") && output.err.contains("doc=<ud>a</ud>"))
        #expect(output.err.contains("user=<ud>ann</ud>") && output.err.contains("detail=<ud>closed</ud>"))
        let ended = try #require(output.err.split(separator: "\n").first { $0.contains("Sync ended") })
        for part in ["received=1", "refused=", "sent=0", "user=<ud>ann</ud>", "agent=", "seconds="] {
            #expect(ended.contains(part), "\(ended)")
        }
        #expect(try Program.gateway.run(["status", "--config", station.config]).err.contains("does not answer"))
        try station.serve()
        #expect(try station.command("refusals", "--json").events.count == 1)
        let unknown = try Program.gateway.run(["refusals", "--config", station.config, "--database", "fiel"])
        #expect(unknown.status == 1 && unknown.err.contains("There is no database 'fiel' (did you mean field?)"))
    }

    /// One id that somebody chose does not push the reasons of all others off the screen.
    @Test(.timeLimit(.minutes(2))) func aLongIDIsCutInTheTable() throws {
        let station = try Station()
        try field(station)
        let laptop = try Laptop()
        let long = String(repeating: "x", count: 200)
        try laptop.put([long, "a"].map { ($0, #"{"closed":true,"channels":["north"]}"#) })
        _ = try push(station, laptop, pinning: "authority.pem")
        let lines = try station.command("refusals").out.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.count < 140 }, "\(lines)")
        #expect(lines.contains { $0.contains("\(String(repeating: "x", count: 39))…  403     closed") }, "\(lines)")
        let whole = try station.command("refusals", "--json").events
        #expect(whole.contains { $0["document"] as? String == long })
    }

    /// Its deletion takes documents off their laptops.
    @Test(.timeLimit(.minutes(2))) func aRoleThatUsersHaveIsNotDeletedByASlip() throws {
        let station = try Station()
        try field(station)
        let made = try station.command("role", "set", "north", "--channels", "field.inspections=north")
        let given = try station.command("user", "set", "ann", "--role", "north")
        try #require(made.status == 0 && given.status == 0, "\(made.err)\(given.err)")
        let refused = try station.command("role", "delete", "north")
        #expect(refused.status == 1 && refused.err.contains("ann has the role 'north'"), "\(refused.err)")
        #expect(try station.command("role", "list").out.contains("north"))
        let deleted = try station.command("role", "delete", "north", "--yes")
        let rest =
            "ann keeps what was given to them directly. To take that away, too: "
            + "user set ann --remove-channel field.inspections=north\n"
        #expect(
            deleted.out == "Took the role from the user ann\nDeleted the role north\n" + rest, "\(deleted.err)")
        #expect(try !station.command("role", "list").out.contains("north"))
        // One of the same name is for nobody at first.
        _ = try station.command("role", "set", "north", "--channels", "field.inspections=north")
        #expect(try station.command("role", "delete", "north").status == 0)
        #expect(try station.command("role", "delete", "nosuch", "--yes").status == 1)
    }

    @Test(.timeLimit(.minutes(2))) func aCollectionIsAddedBesideTheOthers() throws {
        let station = try Station()
        try field(station)
        let file = try station.file("photos.js", "function (doc) { channel('photos'); }")
        let added = try station.command("collection", "add", "field.photos", "--sync-function", file)
        #expect(added.out == "Added the collection field.photos\n", "\(added.err)")
        #expect(
            try station.command("collection", "list").out
                == "field.inspections\nfield.sites  (default sync function)\nfield.photos\n")
        let again = try station.command("collection", "add", "field.photos")
        #expect(again.status == 1 && again.err.contains("already"))
        #expect(try station.command("collection", "add", "photos!").status == 2)
        let open = try station.command("collection", "add", "field.notes")
        #expect(open.status == 0 && open.out.contains("every user may write there"), "\(open.out)\(open.err)")
    }

    @Test(.timeLimit(.minutes(2))) func aNewPasswordCountsAtOnce() throws {
        let station = try Station()
        try station.serve()
        let old = "admin:\(station.password)"
        #expect(try station.curl("/_all_dbs", port: station.adminPort, "--user", old).hasSuffix(" 200"))
        let output = try Program.gateway.run(["password", "--config", station.config])
        let password = try #require(output.out.firstMatch(of: /Password of admin: (\S+)/).map { String($0.output.1) })
        let new = "admin:\(password)"
        #expect(try station.curl("/_all_dbs", port: station.adminPort, "--user", new).hasSuffix(" 200"))
        #expect(try station.curl("/_all_dbs", port: station.adminPort, "--user", old).hasSuffix(" 401"))
    }

    /// Laptops pin the authority, so that they notice nothing.
    @Test(.timeLimit(.minutes(2))) func aRenewedCertificateTouchesNoLaptop() throws {
        let station = try Station()
        try field(station)
        let laptop = try Laptop()
        try laptop.put([("a", #"{"channels":["north"]}"#)])
        #expect(try push(station, laptop, pinning: "authority.pem").status == 0)
        #expect(try !station.isReached(as: "field.example.org"))
        let before = try Program.gateway.run(["certificate", "show", "--config", station.config]).out
        #expect(before.contains("For:                    localhost, 127.0.0.1\n"), "\(before)")
        let renewed = try Program.gateway.run(
            ["certificate", "renew", "--config", station.config, "--host", "127.0.0.1", "--host", "field.example.org"])
        #expect(renewed.status == 0, "\(renewed.err)")
        let after = try Program.gateway.run(["certificate", "show", "--config", station.config]).out
        #expect(after.contains("localhost, 127.0.0.1, field.example.org"), "\(after)")
        let authority = try #require(before.firstMatch(of: /Authority.*/).map { String($0.output) })
        #expect(after.contains(authority))
        try station.signal(SIGHUP)
        #expect(try eventually { try station.isReached(as: "field.example.org") })
        try laptop.put([("b", #"{"channels":["north"]}"#)])
        let second = try push(station, laptop, pinning: "authority.pem")
        #expect(second.status == 0, "\(second.err)")
        #expect(try station.metrics().contains(/fieldbook_gateway_certificate_expiry_seconds \d{10}/))
    }

    @Test(arguments: ["authority.pem", "gateway.yaml"]) func aCertificateFromElsewhereIsLeftAlone(name: String) throws {
        let (station, other) = (try Station(), try Station())
        if name == "authority.pem" {
            for file in ["cert.pem", "key.pem"] {
                try Data(contentsOf: other.folder.appendingPathComponent(file))
                    .write(to: station.folder.appendingPathComponent(file))
            }
        } else {
            let text = try String(contentsOfFile: station.config, encoding: .utf8)
            let without = text.replacing("  https:\n    tls_cert_path: cert.pem\n    tls_key_path: key.pem\n", with: "")
            try Data(without.utf8).write(to: URL(fileURLWithPath: station.config))
        }
        let output = try Program.gateway.run(["certificate", "renew", "--config", station.config])
        #expect(output.status == 1)
        #expect(
            output.err.contains("was not signed by this gateway's own authority") || output.err.contains("without TLS"))
    }

    @Test(arguments: [
        #"{"databases":{"mydatabase":{"users":{"GUEST":{"disabled":true}}}},"storage":{"path":"d"}}"#,
        "storage: {path: d}\nusers: {GUEST: {disabled: true}}",
    ])
    func aStartUpFileOfTheDocumentationNamesTheWayOut(text: String) throws {
        let station = try Station()
        let file = try station.file("start.json", text)
        let output = try Program.gateway.run(["serve", "--check", "--config", file])
        #expect(output.status == 1 && output.err.contains("PUT /{db}/"), "\(output.err)")
        #expect(output.err.contains("fieldbook-gateway field init"))
    }

    /// Each command shows how it is used.
    @Test func everyCommandHasAnExample() throws {
        let dump = try Program.gateway.run(["--experimental-dump-help"])
        let tree = try JSONDecoder().decode(CommandTree.self, from: Data(dump.out.utf8))
        let commands = tree.command.leaves
        try #require(commands.count > 25)
        for command in commands {
            let output = try Program.gateway.run(["help"] + command)
            #expect(output.status == 0 && output.out.contains("Example:"), "\(command): \(output.out)")
        }
    }
}

/// What the argument parser says of itself.
private struct CommandTree: Decodable {
    struct Command: Decodable {
        var commandName: String
        var shouldDisplay: Bool
        var subcommands: [Command]?

        /// The words of each command that does something and is shown.
        var leaves: [[String]] {
            guard let subcommands, !subcommands.isEmpty else { return [[]] }
            return subcommands.filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap { command in
                command.leaves.map { [command.commandName] + $0 }
            }
        }
    }

    var command: Command
}
