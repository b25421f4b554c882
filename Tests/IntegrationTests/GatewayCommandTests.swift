import Foundation
import Glibc
import Testing

/// The gateway's own commands, typed as an operator types them.
@Suite(.serialized) struct GatewayCommandTests {
    private static let database = """
        {"scopes":{"field":{"collections":{"sites":{"sync":"function(doc){channel(doc.channel);}"},"notes":{}}}}}
        """

    @Test(.timeLimit(.minutes(2))) func initWritesWhatServeNeeds() throws {
        let station = try Station()
        #expect(station.firstOutput.status == 0, "\(station.firstOutput.err)")
        #expect(station.password.count == 20)
        for (name, mode) in [("gateway.yaml", 0o600), ("key.pem", 0o600), ("data/administrators.json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: station.folder.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
        let files = FileManager.default.enumerator(at: station.folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            #expect(!text.contains(station.password), "\(file.path) holds the password")
        }
        let again = try Program.gateway.run(["init", "--folder", station.folder.path])
        #expect(again.status == 1)
        #expect(again.err.contains("is there already"))
        #expect(try Program.gateway.run(["serve", "--check", "--config", station.config]).status == 0)
    }

    @Test(.timeLimit(.minutes(2))) func theAdminPortAsksForThePassword() throws {
        let station = try Station()
        try station.serve()
        #expect(try station.curl("/_all_dbs", port: station.adminPort).hasSuffix(" 401"))
        #expect(try station.curl("/_all_dbs", port: station.adminPort, "--user", "admin:wrong").hasSuffix(" 401"))
        let user = "admin:\(station.password)"
        #expect(try station.curl("/_all_dbs", port: station.adminPort, "--user", user) == "[] 200")
        let put = try station.curl(
            "/field/", port: station.adminPort, "--user", user, "--request", "PUT", "--json", Self.database)
        #expect(put == " 201")
        #expect(try station.curl("/_all_dbs", port: station.publicPort).hasSuffix(" 404"))
        let output = try station.stop()
        #expect(output.status == 0, "\(output.err)")
        #expect(!output.err.contains(station.password))
    }

    @Test func aPasswordIsForAnAdministratorThatThereIs() throws {
        let station = try Station()
        let mistyped = try Program.gateway.run(["password", "--config", station.config, "admni"])
        #expect(mistyped.status == 1 && mistyped.err.contains("There is no administrator admni, only admin"))
        #expect(try Program.gateway.run(["password", "--config", station.config]).status == 0)
        #expect(try Program.gateway.run(["password", "--config", station.config, "--new", "root"]).status == 0)
    }

    @Test(.timeLimit(.minutes(2))) func usersAndRolesAreManagedWithoutPassword() throws {
        let station = try Station()
        let refused = try station.command("user", "list")
        #expect(refused.status == 1)
        #expect(refused.err.contains("does not answer"))
        try station.serve()
        _ = try station.curl(
            "/field/", port: station.adminPort, "--user", "admin:\(station.password)", "--request", "PUT", "--json",
            Self.database)
        #expect(try station.command("role", "set", "staff", "--channels", "field.sites=north").status == 0)
        let made = try station.command("user", "set", "zoë", "--role", "staff", "--channels", "field.notes=a,b")
        #expect(made.status == 0, "\(made.err)")
        let password = try #require(made.out.firstMatch(of: /Password of zoë: (\S+)/).map { String($0.output.1) })
        #expect(try station.command("user", "list").out == "zoë\n")
        #expect(try station.command("role", "list").out == "staff\n")
        let shown = try station.command("user", "show", "zoë").out
        #expect(
            shown.contains(#""admin_roles":["staff"]"#) && shown.contains(#""admin_channels":["a","b"]"#), "\(shown)")
        #expect(try station.curl("/field/", port: station.publicPort, "--user", "zoë:\(password)").hasSuffix(" 200"))
        let more = try station.command(
            "user", "set", "zoë", "--add-channel", "field.notes=c", "--remove-channel", "field.notes=a")
        #expect(more.status == 0, "\(more.err)")
        #expect(try station.command("user", "show", "zoë").out.contains(#""admin_channels":["b","c"]"#))
        for (options, message) in [
            (["--role", "staf"], "There is no role 'staf' (did you mean staff?)"), (["--email", "nomail"], "no mail"),
            (["--channels", "field.note=x"], "has no collection field.note; it has field.sites, field.notes"),
            (["--remove-channel", "field.notes=a"], "There is no channel 'a' to remove in field.notes"),
        ] {
            let wrong = try Program.gateway.run(
                ["user", "set", "zoë"] + options + ["--config", station.config, "--database", "field"])
            #expect(wrong.status != 0 && wrong.err.contains(message), "\(wrong.err)")
        }
        #expect(try station.command("user", "set", "zoë", "--disable-login").out == "Changed the user zoë\n")
        #expect(try station.curl("/field/", port: station.publicPort, "--user", "zoë:\(password)").hasSuffix(" 401"))
        // An option for existing users makes no new one: with a typing error the intended user would keep access.
        for option in [
            ["--disable-login"], ["--enable-login"], ["--new-password"], ["--remove-channel", "field.notes=a"],
        ] {
            let slip = try Program.gateway.run(
                ["user", "set", "zoe"] + option + ["--config", station.config, "--database", "field"])
            #expect(
                slip.status == 1 && slip.err.contains("no user 'zoe' in 'field' (did you mean zoë?)"), "\(slip.err)")
        }
        #expect(try station.command("user", "list").out == "zoë\n")
        #expect(try station.command("user", "delete", "zoë").out == "Deleted the user zoë\n")
        let missing = try station.command("user", "show", "zoë")
        #expect(missing.status == 1 && missing.err.contains("There is no user 'zoë' in 'field'"), "\(missing.err)")
        let wrong = try station.command("user", "set", "x", "--channels", "nonsense")
        #expect(wrong.status == 2 && wrong.err.contains("Usage: fieldbook-gateway user set"), "\(wrong.err)")
    }

    @Test(.timeLimit(.minutes(2))) func exportsWhatIsThere() throws {
        let station = try Station()
        try station.serve()
        let user = ["--user", "admin:\(station.password)"]
        _ = try station.curl(
            "/field/", port: station.adminPort, user[0], user[1], "--request", "PUT", "--json", Self.database)
        let rows = (0..<1_203).map {
            #"{"_id":"s\#($0)","name":"Café \"\#($0)\", north","n":\#($0),"at":{"lat":1.50}}"#
        }
        let file = station.folder.appendingPathComponent("docs.json")
        try Data(#"{"docs":[\#(rows.joined(separator: ","))]}"#.utf8).write(to: file)
        let bulk = try station.curl(
            "/field.field.sites/_bulk_docs", port: station.adminPort, user[0], user[1], "--header",
            "Content-Type: application/json", "--data-binary", "@\(file.path)")
        try #require(bulk.hasSuffix(" 201"), "\(bulk.suffix(200))")
        let note = #"{"tags":["a","b"],"_attachments":{"../up/photo":{"content_type":"image/png","data":"aGVsbG8="}}}"#
        let put = try station.curl(
            "/field.field.notes/n%2F1", port: station.adminPort, user[0], user[1], "--request", "PUT", "--header",
            "Content-Type: application/json", "--data", note)
        try #require(put.hasSuffix(" 201"), "\(put)")
        let folder = station.folder.appendingPathComponent("out")
        let output = try station.command("export", "--output", folder.path)
        #expect(output.status == 0, "\(output.err)")
        #expect(output.out == "field.sites: 1203 documents, 0 attachments\nfield.notes: 1 document, 1 attachment\n")
        let csv = try String(contentsOf: folder.appendingPathComponent("field.sites.csv"), encoding: .utf8)
        let lines = csv.components(separatedBy: "\r\n")
        #expect(lines.count == 1_205)
        #expect(lines[0] == "_id,_rev,name,n,at.lat")
        #expect(lines.contains { $0.hasPrefix("s7,1-") && $0.hasSuffix(#","Café ""7"", north",7,1.50"#) })
        let jsonl = try String(contentsOf: folder.appendingPathComponent("field.sites.jsonl"), encoding: .utf8)
        #expect(jsonl.split(separator: "\n").count == 1_203)
        let photo = folder.appendingPathComponent("attachments/field.notes/n_1/_.._up_photo.png")
        let location = folder.appendingPathComponent("attachments/field.notes/n_1")
        let names = try FileManager.default.contentsOfDirectory(atPath: location.path)
        #expect(names.count == 1, "\(names)")
        #expect(try Data(contentsOf: location.appendingPathComponent(names[0])) == Data("hello".utf8), "\(photo)")
        let notes = station.folder.appendingPathComponent("notes").path
        let twice = try station.command(
            "export", "--output", notes, "--collection", "field.notes", "--collection", "field.notes")
        #expect(twice.out == "field.notes: 1 document, 1 attachment\n", "\(twice.err)")
        let unknown = try station.command("export", "--output", folder.path, "--collection", "field.nosuch")
        #expect(unknown.status == 1 && unknown.err.contains("field.sites"))
    }

    /// A part of a database, on the standard output or in a folder, and photos by their names.
    @Test(.timeLimit(.minutes(2))) func exportsAPart() throws {
        let station = try Station()
        try station.serve()
        func put(_ path: String, _ body: String) throws -> String {
            let answer = try station.curl(
                path, port: station.adminPort, "--user", "admin:\(station.password)", "--request", "PUT", "--json", body
            )
            try #require(answer.hasSuffix(" 201"), "\(answer)")
            return answer.firstMatch(of: /"rev":"([^"]+)"/).map { String($0.output.1) } ?? ""
        }
        func export(_ options: [String]) throws -> Program.Output {
            try Program.gateway.run(["export", "--config", station.config, "--database", "field"] + options)
        }
        func sites(_ options: String...) throws -> [[String: Any]] {
            let output = try export(["--output", "-", "--collection", "field.sites"] + options)
            #expect(output.status == 0, "\(output.err)")
            return output.events
        }
        func ids(_ documents: [[String: Any]]) -> [String] { documents.compactMap { $0["_id"] as? String } }
        func mark(_ output: Program.Output) throws -> String {
            try #require(output.err.firstMatch(of: /--since (\d+)/).map { String($0.output.1) }, "\(output.err)")
        }
        let sync = #"{"sync":"function(doc){ channel(doc.channels); }"}"#
        _ = try put(
            "/field/", #"{"scopes":{"field":{"collections":{"sites":\#(sync),"inspections":\#(sync)}}}}"#)
        let hill = #"{"channels":["district.hill"],"createdAt":"2026-03-01T08:00:00Z"}"#
        let mill = try put("/field.field.sites/mill", hill)
        let quay = try put(
            "/field.field.sites/quay", #"{"channels":["district.shore","x"],"createdAt":"2026-02-01T08:00:00Z"}"#)

        #expect(ids(try sites()) == ["mill", "quay"])
        #expect(ids(try sites("--channel", "district.hill")) == ["mill"])
        #expect(ids(try sites("--channel", "district.hill", "--channel", "district.shore")) == ["mill", "quay"])
        // A new district, in which nothing is yet.
        try station.command("role", "set", "quays", "--add-channel", "field.sites=district.quay")
        #expect(ids(try sites("--channel", "district.quay")).isEmpty)
        #expect(ids(try sites("--since", "2026-02-15")) == ["mill"])
        #expect(ids(try sites("--since", "2026-02-15", "--channel", "district.shore")).isEmpty)

        // The same text, without anything that a terminal obeys.
        let odd = "a\u{9B}2J\u{202E}b"
        let spit = try put("/field.field.sites/spit", #"{"channels":["district.odd"],"name":"\#(odd)"}"#)
        let shown = try export(["--output", "-", "--collection", "field.sites", "--channel", "district.odd"])
        #expect(shown.out.contains(#"a\u009b2J\u202eb"#) && shown.events.first?["name"] as? String == odd, "\(shown)")
        _ = try put("/field.field.sites/spit?rev=\(spit)", #"{"_deleted":true}"#)

        let first = try mark(try export(["--output", "-", "--collection", "field.sites"]))
        #expect(ids(try sites("--since", first)).isEmpty)
        _ = try put("/field.field.sites/pier", #"{"channels":["district.shore"]}"#)
        #expect(ids(try sites("--since", first)) == ["pier"])
        #expect(ids(try sites("--since", first, "--channel", "district.hill")).isEmpty)

        // One leaves a channel and stays in another, then it leaves both; another one is deleted.
        let second = try mark(try export(["--output", "-", "--collection", "field.sites"]))
        let moved = try put("/field.field.sites/quay?rev=\(quay)", #"{"channels":["x"],"n":2}"#)
        let channels = ["--channel", "district.shore", "--channel", "x"]
        let kept = try export(["--output", "-", "--collection", "field.sites", "--since", second] + channels).events
        #expect(ids(kept) == ["quay"] && kept.first?["n"] as? Int == 2)
        _ = try put("/field.field.sites/quay?rev=\(moved)", #"{"channels":["district.hill"],"n":3}"#)
        _ = try put("/field.field.sites/mill?rev=\(mill)", #"{"_deleted":true}"#)
        let left = try export(["--output", "-", "--collection", "field.sites", "--since", second] + channels).events
        #expect(ids(left) == ["quay"] && left.first?["_removed"] as? Bool == true && left.first?["n"] == nil)
        let all = try sites("--since", second)
        #expect(ids(all) == ["quay", "mill"] && all.last?["_deleted"] as? Bool == true)
        #expect(all.first?["n"] as? Int == 3)
        // The same in a folder, as a table.
        let changes = station.folder.appendingPathComponent("changes")
        let table = try export(["--output", changes.path, "--format", "csv", "--since", second])
        #expect(table.status == 0 && table.out.contains("field.sites: 2 documents"), "\(table)")

        let photo = #"{"@type":"blob","digest":"sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=","length":5}"#
        _ = try put(
            "/field.field.inspections/i1",
            #"{"photos":[{"name":"front door.png","blob":\#(photo)}],"#
                + #""_attachments":{"blob_/photos/0/blob":{"content_type":"image/png","data":"aGVsbG8="}}}"#)
        let folder = station.folder.appendingPathComponent("part")
        #expect(try export(["--output", folder.path]).status == 0)
        let location = folder.appendingPathComponent("attachments/field.inspections/i1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: location.path) == ["front door.png"])
        #expect(try Data(contentsOf: location.appendingPathComponent("front door.png")) == Data("hello".utf8))

        // Everybody has this one, before there is anything in it.
        #expect(try export(["--output", "-", "--channel", "!", "--collection", "field.sites"]).status == 0)

        for (options, status, message) in [
            (["--since", "yesterday"], 2, "'yesterday' is neither"), (["--channel", "a,b"], 2, "'a,b' is no channel"),
            (["--format", "csv"], 2, "lines of JSON only"), ([], 1, "field.sites, field.inspections"),
            (["--collection", "field.nosuch"], 1, "has no collection 'field.nosuch'"),
            (["--channel", "distric.quay"], 1, "and no user has it (did you mean district.quay?)"),
            (["--since", "99999999", "--collection", "field.sites"], 1, "so it has no sequence 99999999"),
        ] as [([String], Int32, String)] {
            let output = try export(["--output", "-"] + options)
            #expect(output.status == status && output.err.contains(message), "\(options) \(output.err)")
            #expect(output.out.isEmpty && !output.err.contains("goes on from here"))
        }
    }

    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            ("api: {public_interfaces: \":1\"}\nstorage: {path: d}", "unknown key 'api.public_interfaces'"),
            ("api: {}", "storage.path is missing"), ("- a", "must be a mapping"), ("{", "is not YAML or JSON"),
            ("api: {public_interface: nowhere}\nstorage: {path: d}", "Write host:port"),
            ("api: {https: {tls_cert_path: a.pem}}\nstorage: {path: d}", "needs both"),
            ("api: {https: {tls_cert_path: a.pem, tls_key_path: b.pem}}\nstorage: {path: d}", "a.pem: is missing"),
            ("{\"storage\":{\"path\":\"d\"},\"api\":{\"admin_interface_authentication\":\"no\"}}", "true or false"),
            ("storage: {path: d}\nlogging: {console: {log_level: loud}}", "Use one of"),
            ("storage: {path: d}\napi: {https: {tls_minimum_version: tlsv1.9}}", "Use one of"),
            ("storage: {path: /proc/d}", "/proc/d: cannot be made: "),
        ])
    func wrongConfigurationsAreReported(text: String, message: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wrong-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("gateway.yaml")
        try Data(text.utf8).write(to: file)
        let output = try Program.gateway.run(["serve", "--config", file.path], limit: 20)
        #expect(output.status == 1)
        #expect(output.err.contains(message), "\(output.err)")
    }

    @Test(.timeLimit(.minutes(2))) func aSecondGatewayFindsStorageAndPortsInUse() throws {
        let station = try Station()
        try station.serve()
        let second = try Program.gateway.run(["serve", "--config", station.config], limit: 20)
        #expect(second.status == 1)
        #expect(second.err.contains("in use by a gateway"), "\(second.err)")
        let elsewhere = station.folder.path + "/elsewhere.yaml"
        let text = try String(contentsOfFile: station.config, encoding: .utf8)
        try Data(text.replacing("path: data", with: "path: data2").utf8).write(to: URL(fileURLWithPath: elsewhere))
        let third = try Program.gateway.run(["serve", "--config", elsewhere], limit: 20)
        #expect(third.status == 1)
        #expect(third.err.contains("cannot be opened"), "\(third.err)")
        #expect(try station.curl("/", port: station.publicPort).hasSuffix(" 200"))
    }

    @Test(.timeLimit(.minutes(2))) func aBackupIsMadeBesideTheRunningGatewayAndRestored() throws {
        let station = try Station()
        try station.serve()
        let user = "admin:\(station.password)"
        _ = try station.curl(
            "/field/", port: station.adminPort, "--user", user, "--request", "PUT", "--json", Self.database)
        let backup = station.folder.path + "/backup"
        let made = try Program.gateway.run(["backup", "--config", station.config, backup])
        #expect(made.status == 0 && made.out.contains("field: "), "\(made.err)")
        let early = try Program.gateway.run(["restore", "--replace", "--config", station.config, backup])
        #expect(early.status == 1 && early.err.contains("in use by a gateway"), "\(early.err)")
        _ = try station.stop()
        let refused = try Program.gateway.run(["restore", "--config", station.config, backup])
        #expect(refused.status == 1 && refused.err.contains("--replace"), "\(refused.err)")
        let restored = try Program.gateway.run(["restore", "--replace", "--config", station.config, backup])
        #expect(restored.status == 0, "\(restored.err)")
        try station.serve()
        #expect(try station.curl("/field/", port: station.adminPort, "--user", user).hasSuffix(" 200"))
    }

    /// The new certificate is seen by the next connection.
    @Test(.timeLimit(.minutes(2))) func aHangUpTakesOverTheCertificate() throws {
        let station = try Station()
        try station.serve()
        let other = try Station()
        for name in ["cert.pem", "key.pem"] {
            try Data(contentsOf: other.folder.appendingPathComponent(name))
                .write(to: station.folder.appendingPathComponent(name))
        }
        #expect(try !station.curl("/", port: station.publicPort).hasSuffix(" 200"))
        try station.signal(SIGHUP)
        #expect(try eventually { try station.curl("/", port: station.publicPort).hasSuffix(" 200") })
    }

    /// A request whose body never comes holds the first signal back, not the second.
    @Test(.timeLimit(.minutes(2))) func aSecondSignalEndsItAtOnce() throws {
        let station = try Station()
        try station.serve()
        let body = station.folder.appendingPathComponent("body")
        try Data(count: 1 << 20).write(to: body)
        let slow = try RunningProgram(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "curl", "--silent", "--insecure", "--user", "admin:\(station.password)", "--limit-rate", "1000",
                "--request", "PUT", "--json", "@\(body.path)", "https://127.0.0.1:\(station.adminPort)/field/",
            ], input: "")
        // The other one asks for the metrics.
        #expect(try eventually { try station.metrics().contains("fieldbook_gateway_requests_in_flight 2") })
        let output = try station.stopTwice()
        #expect(output.status == 1, "\(output.err)")
        slow.signal(SIGKILL)
        _ = slow.finish(limit: 5)
    }

    /// There is nothing to wait for on a connection that has not asked for anything yet.
    @Test(.timeLimit(.minutes(2))) func aSilentConnectionDoesNotHoldTheShutdownBack() throws {
        let station = try Station()
        try station.serve()
        let silent = try RunningProgram(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "bash", "-c",
                "exec 3<>/dev/tcp/127.0.0.1/\(station.adminPort); echo connected; read -t 60 -u 3 line || true",
            ], input: "")
        #expect(eventually { silent.outputSoFar.contains("connected") })
        let start = Date()
        #expect(try station.stop().status == 0)
        #expect(Date().timeIntervalSince(start) < 9)
        silent.signal(SIGKILL)
        _ = silent.finish(limit: 5)
    }

    /// Feeds that wait are ended, so that a restart need not wait for them.
    @Test(.timeLimit(.minutes(2))) func waitingFeedsDoNotHoldTheShutdownBack() throws {
        let station = try Station()
        try station.serve()
        let user = "admin:\(station.password)"
        _ = try station.curl(
            "/field/", port: station.adminPort, "--user", user, "--request", "PUT", "--json", Self.database)
        let feed = try RunningProgram(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "curl", "--silent", "--no-buffer", "--insecure", "--user", user,
                "https://127.0.0.1:\(station.adminPort)/field.field.sites/_changes?feed=continuous&timeout=0",
            ], input: "")
        #expect(eventually { feed.outputSoFar.contains("\n") })
        let start = Date()
        #expect(try station.stop().status == 0)
        #expect(Date().timeIntervalSince(start) < 9)
        #expect(feed.finish(limit: 5).status == 0)
    }

    @Test func noDatabaseNoConfiguration() throws {
        #expect(try Program.gateway.run(["serve", "--config", "/nonexistent/gateway.yaml"]).status == 1)
        #expect(try Program.gateway.run(["serve"]).status == 2)
        #expect(try Program.gateway.run(["nosuch"]).status == 2)
    }
}
