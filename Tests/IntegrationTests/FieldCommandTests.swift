import Foundation
import Testing

/// A field team set up by the gateway's own commands.
@Suite(.serialized) struct FieldCommandTests {
    @Test(.timeLimit(.minutes(3))) func fourCommandsMakeAFieldDatabase() throws {
        let station = try Station()
        try station.serve()
        let early = try station.command("field", "district", "add", "harbour")
        #expect(early.status == 1 && early.err.contains("There is no database 'field'"), "\(early.err)")

        let made = try station.command("field", "init")
        #expect(made.status == 0 && made.out.contains("Made the database 'field'"), "\(made.err)")
        #expect(made.out.contains("Made the roles inspector, supervisor, office"))
        let again = try station.command("field", "init")
        #expect(again.out == "The database 'field' is there already; nothing was changed\n", "\(again.err)")
        // An office of a field database that had fewer collections.
        try station.command("role", "set", "office", "--remove-channel", "field.findings=*")
        #expect(try station.command("field", "init").out == "The role office sees every collection again\n")
        let office = try station.command("role", "show", "office").out
        #expect(office.components(separatedBy: #""admin_channels":["*"]"#).count == 7, "\(office)")

        #expect(try station.command("field", "district", "add", "harbour").out == "Made the district harbour\n")
        #expect(try station.command("field", "district", "add", "mill").status == 0)
        #expect(try station.command("field", "district", "add", "mill").out.contains("is there already"))
        #expect(try station.command("field", "district", "add", "a b").status == 2)
        #expect(try station.command("field", "district", "list").out == "harbour\nmill\n")

        let mara = try station.command(
            "field", "user", "add", "mara", "--district", "harbour", "mill", "--role", "inspector")
        #expect(mara.out.hasPrefix("Made the user mara, inspector of harbour, mill\nPassword of mara: "), "\(mara.err)")
        let password = try #require(mara.out.firstMatch(of: /Password of mara: (\S+)/).map { String($0.output.1) })
        #expect(
            try station.curl("/field/", port: station.publicPort, "--user", "mara:\(password)").hasSuffix(" 200"))
        let same = try station.command(
            "field", "user", "add", "mara", "--district", "mill,harbour", "--role", "inspector")
        #expect(same.status == 0 && same.out.contains("is there already"), "\(same.err)")
        #expect(try station.command("field", "user", "set", "mara", "--disable-login").status == 0)
        let disabled = try station.command(
            "field", "user", "add", "mara", "--district", "mill", "harbour", "--role", "inspector")
        #expect(disabled.out.contains("inspector of harbour, mill, may not sign in;"), "\(disabled.out)")
        let other = try station.command("field", "user", "add", "mara", "--district", "mill", "--role", "inspector")
        #expect(other.status == 1 && other.err.contains("field user set mara"), "\(other.err)")
        #expect(try station.command("field", "user", "add", "olga", "--role", "office").status == 0)
    }

    @Test(.timeLimit(.minutes(3))) func wrongNamesAreAnsweredWithTheRightOnes() throws {
        let station = try Station()
        try station.serve()
        try station.command("field", "init")
        try station.command("field", "district", "add", "harbour")
        for (options, status, message) in [
            (
                ["--role", "superviser", "--district", "harbour"], 2,
                "There is no role 'superviser' (did you mean supervisor?)"
            ),
            (
                ["--role", "inspector", "--district", "harbor"], 1,
                "There is no district 'harbor' (did you mean harbour?)"
            ),
            (["--role", "inspector"], 2, "needs a district"),
            (["--role", "inspector", "--district", "harbour", "--email", "x"], 2, "is no mail address"),
        ] {
            let output = try Program.gateway.run(
                ["field", "user", "add", "kim"] + options + ["--config", station.config, "--database", "field"])
            #expect(output.status == Int32(status) && output.err.contains(message), "\(output.err)")
        }
        #expect(try station.command("field", "user", "list", "--json").out.isEmpty)
        let unknown = try station.command("field", "user", "set", "kim", "--role", "office")
        #expect(unknown.status == 1 && unknown.err.contains("There is no user 'kim'"))
    }

    /// Two administrators at the same moment: what one takes away, the other does not give back.
    @Test(.timeLimit(.minutes(3))) func changesAtTheSameMomentAllCount() async throws {
        let station = try Station()
        try station.serve()
        try station.command("field", "init")
        let districts = ["harbour", "mill", "orchard", "quay", "hill"]
        for district in districts { try station.command("field", "district", "add", district) }
        try station.command("field", "user", "add", "mara", "--district", "harbour", "mill", "--role", "inspector")
        let changes = [["--remove-district", "mill"]] + districts[2...].map { ["--add-district", $0] }
        let config = station.config
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for change in changes {
                group.addTask {
                    try Program.gateway.run(
                        ["field", "user", "set", "mara"] + change + ["--config", config, "--database", "field"]
                    ).status
                }
            }
            for try await status in group { #expect(status == 0) }
        }
        let list = try station.command("field", "user", "list").out
        #expect(list.contains("harbour, hill, orchard, quay"), "\(list)")
    }

    @Test(.timeLimit(.minutes(3))) func districtsComeAndGo() throws {
        let station = try Station()
        try station.serve()
        try station.command("field", "init")
        for district in ["harbour", "mill", "orchard"] { try station.command("field", "district", "add", district) }
        try station.command("field", "user", "add", "mara", "--district", "harbour", "--role", "inspector")
        let more = try station.command(
            "field", "user", "set", "mara", "--add-district", "mill", "orchard", "--remove-district", "harbour",
            "--role", "supervisor")
        #expect(more.out == "mara is supervisor of mill, orchard\n", "\(more.err)")
        // A slip of the finger takes nothing away, and says so.
        let slip = try station.command("field", "user", "set", "mara", "--remove-district", "mil")
        #expect(slip.status == 1 && slip.out.isEmpty, "\(slip.out)")
        #expect(slip.err.contains("mara does not have the district 'mil' (did you mean mill?)"), "\(slip.err)")
        let shown = try station.command("user", "show", "mara").out
        #expect(shown.contains(#""admin_roles":["district.mill","district.orchard","supervisor"]"#), "\(shown)")
        #expect(try station.command("field", "user", "set", "mara", "--disable-login").out.contains("may not sign in"))
        // Every district was theirs by the role; without a district they would see nothing.
        try station.command("field", "user", "add", "olga", "--role", "office")
        let nothing = try station.command("field", "user", "set", "olga", "--role", "inspector")
        #expect(nothing.status == 1 && nothing.err.contains("needs a district: --district NAME"), "\(nothing.err)")
        #expect(try station.command("field", "user", "delete", "olga").out == "Deleted the user olga\n")
        let list = try station.command("field", "user", "list", "--json").events
        #expect(list.count == 1 && list[0]["role"] as? String == "supervisor" && list[0]["disabled"] as? Bool == true)
        #expect(list[0]["districts"] as? [String] == ["mill", "orchard"])
        let table = try station.command("field", "user", "list").out
        #expect(table.contains("mara  supervisor  mill, orchard  disabled"), "\(table)")
        // A district that was given without its role is shown, and stays when the role is deleted, with a word of it.
        try station.command("user", "set", "mara", "--add-channel", "field.sites=district.harbour")
        let shownNow = try station.command("field", "user", "list").out
        #expect(shownNow.contains("mill, orchard, + field.sites=district.harbour"), "\(shownNow)")
        try station.command("role", "set", "guide", "--add-channel", "field.forms=district.harbour")
        let ended = try station.command("field", "district", "delete", "harbour")
        #expect(ended.status == 0, "\(ended.err)")
        for hint in [
            "user set mara --remove-channel field.sites=district.harbour\n",
            "role set guide --remove-channel field.forms=district.harbour\n",
        ] {
            #expect(ended.out.contains(hint), "\(ended.out)")
        }
    }

    /// An upgrade takes nobody's rules away without a copy.
    @Test(.timeLimit(.minutes(3))) func rulesThatAreReplacedAreKept() throws {
        let station = try Station()
        try station.serve()
        try station.command("field", "init")
        let own = "function (doc) { channel('x'); }"
        func set(_ function: String, of collection: String) throws {
            let answer = try station.curl(
                "/field.field.\(collection)/_config/sync", port: station.adminPort, "--user",
                "admin:\(station.password)", "--request", "PUT", "--header", "Content-Type: application/javascript",
                "--data-binary", function)
            try #require(answer.hasSuffix(" 200"), "\(answer)")
        }
        let older = "// Decides who may write a record of the field database, and which channels it goes to.\n\(own)"
        try set(own, of: "sites")
        try set(older, of: "forms")
        let updated = try station.command("field", "init", "--update-sync-function")
        let kept = station.folder.appendingPathComponent("field.forms.old-1.js")
        #expect(updated.out.contains("Replaced the sync function of forms\n"), "\(updated.out)\(updated.err)")
        #expect(updated.out.contains("The replaced functions are in \(kept.path)"), "\(updated.out)")
        #expect(updated.out.contains("Left the sync function of sites as it is, which is not one"), "\(updated.out)")
        #expect(try String(contentsOf: kept, encoding: .utf8) == older)
        let all = try station.command("field", "init", "--update-sync-function", "--yes")
        #expect(all.out.contains("Replaced the sync function of sites\n"), "\(all.out)\(all.err)")
        let sites = station.folder.appendingPathComponent("field.sites.old-1.js")
        #expect(try String(contentsOf: sites, encoding: .utf8) == own)
        #expect(try station.command("field", "init", "--yes").status != 0)
        // One that was taken away is none of another version: everybody may write everything there.
        let taken = try station.curl(
            "/field.field.sites/_config/sync", port: station.adminPort, "--user", "admin:\(station.password)",
            "--request",
            "DELETE")
        try #require(taken.hasSuffix(" 200"), "\(taken)")
        let open = try station.command("field", "init")
        #expect(open.status == 1 && open.err.contains("sites have no sync function: every user may"), "\(open.err)")
        #expect(!open.out.contains("version"), "\(open.out)")
        let closed = try station.command("field", "init", "--update-sync-function")
        #expect(closed.status == 0 && closed.out == "Replaced the sync function of sites\n", "\(closed.err)")
    }

    /// The page that takes a team from nothing to two laptops that are in step, line by line as it is there.
    @Test(.timeLimit(.minutes(4))) func theFirstHourRunsAsWritten() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/first-hour.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        try #require(blocks.count >= 5)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Ports of this test's own, so that a gateway that runs on this machine is not in its way.
        let port = freePort()
        let ports = "sed -i -e s/:4984/:\(port)/ -e s/:4985/:\(freePort())/ -e s/:4986/:\(freePort())/"
        let script =
            ([
                "set -e", "cd '\(folder.path)'", "trap 'kill %1' EXIT",
                "PATH='\(Program.fieldbook.url.deletingLastPathComponent().path)':$PATH",
            ] + blocks).joined(separator: "\n")
            .replacingOccurrences(
                of: "fieldbook-gateway serve", with: "\(ports) gateway/gateway.yaml\nfieldbook-gateway serve"
            )
            .replacingOccurrences(of: "127.0.0.1:4984", with: "127.0.0.1:\(port)")
        let output = try RunningProgram(URL(fileURLWithPath: "/bin/bash"), ["-c", script], input: "").finish(limit: 150)
        #expect(output.status == 0, "\(output.out)\n\(output.err)")
        #expect(output.out.contains("Otter Café") && output.out.contains("approved"), "\(output.out)")
    }
}
