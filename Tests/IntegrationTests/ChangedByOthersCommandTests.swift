import Foundation
import Testing

/// A colleague who changes another user's draft and hands it in, with real processes.
@Suite(.serialized) struct ChangedByOthersCommandTests {
    @Test(.timeLimit(.minutes(3))) func whatAColleagueReplacesIsNamedAndComesBack() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase(
            sync: try String(contentsOf: DeletedElsewhereCommandTests.file("sample-data/sync.js"), encoding: .utf8))
        let (hal, eve) = (try FieldLaptop(), try FieldLaptop())
        for (laptop, name) in [(hal, "hal"), (eve, "eve")] {
            try gateway.setFieldUser(name, ["district.hill"])
            #expect(try laptop.login(gateway, name).status == 0)
        }
        #expect(try hal.run("new", "site", "Old mill", "district=hill").status == 0)
        #expect(try hal.run("new", "inspection", "mill", "score=77", "notes=my long notes").status == 0)
        let inspection = try #require(try hal.ids("inspections").first)
        let short = String(inspection.trimmingPrefix("inspection-"))
        #expect(try hal.run("attach", inspection, try hal.file("px.txt", "a picture")).status == 0)
        for laptop in [hal, eve] { #expect(try laptop.run("sync").status == 0) }

        #expect(try eve.run("edit", inspection, "score=10", "notes=eve's").status == 0)
        #expect(try eve.run("photo", "remove", inspection, "px.txt", "--yes").status == 0)
        #expect(try eve.run("submit", inspection, "--yes").status == 0)
        let sent = try eve.run("sync")
        #expect(sent.status == 0 && !sent.out.contains("refused"), "\(sent)")

        let sync = try hal.run("sync")
        #expect(sync.out.contains("eve handed in your inspection \(short), Old mill, "), "\(sync)")
        #expect(sync.out.contains("; eve changed: notes, score, 1 photo; see: log \(short)\n"), "\(sync)")
        #expect(try hal.run("today").out.contains("Yours, changed by others"))
        let log = try hal.run("log", inspection, "--json").events.first?["events"] as? [[String: Any]] ?? []
        let what = "changed: notes my long notes → eve's, photo px.txt removed, score 77 → 10"
        let changes = log.filter { ($0["what"] as? String)?.hasPrefix(what) == true }
        #expect(changes.count == 1 && changes.first?["by"] as? String == "eve", "\(log)")
        #expect(try !hal.run("today").out.contains("Yours, changed by others"), "it was looked at")

        let back = try hal.run("undo", inspection)
        #expect(back.status == 0 && back.out.contains("Set back in the inspection \(short): "), "\(back)")
        let sentBack = try hal.run("sync")
        #expect(sentBack.status == 0 && !sentBack.out.contains("refused"), "\(sentBack)")
        #expect(try eve.run("sync").status == 0)
        let shown = try #require(try eve.run("show", inspection, "--json").events.first)
        #expect(shown["score"] as? Int == 77 && shown["notes"] as? String == "my long notes")
        #expect((shown["photos"] as? [Any])?.count == 1 && shown["status"] as? String == "submitted")
    }
}
