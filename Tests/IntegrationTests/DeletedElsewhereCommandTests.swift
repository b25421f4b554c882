import Foundation
import Testing

/// A record that a colleague deletes, and the work that hangs on it, with real processes.
@Suite(.serialized) struct DeletedElsewhereCommandTests {
    @Test(.timeLimit(.minutes(3))) func aSiteIsDeletedWhileSomebodyInspectsIt() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase(
            sync: try String(contentsOf: Self.file("sample-data/sync.js"), encoding: .utf8))
        for name in ["mara", "ines"] { try gateway.setFieldUser(name, ["district.hill"]) }
        let (mara, ines) = (try FieldLaptop(), try FieldLaptop())
        #expect(try mara.login(gateway, "mara").status == 0)
        #expect(try ines.login(gateway, "ines").status == 0)
        #expect(try ines.run("new", "site", "Old mill", "district=hill").status == 0)
        #expect(try ines.run("sync").status == 0)
        #expect(try mara.run("sync").status == 0)
        let site = try #require(try mara.ids("sites").first)
        let short = String(site.trimmingPrefix("site-"))

        #expect(try mara.run("new", "inspection", "mill", "score=90").status == 0)
        let inspection = try #require(try mara.ids("inspections").first)
        #expect(try ines.run("delete", "mill", "--yes").status == 0)
        #expect(try ines.run("sync").status == 0)
        let sync = try mara.run("sync")
        #expect(sync.status == 0)
        #expect(
            sync.out == """
                Sent 1 inspection.
                Deleted by others: 1 site.
                  site \(short), Old mill
                See what it was: show \(short). Bring it back: undo \(short)

                """, "\(sync)")
        let advice = "Its site, Old mill, was deleted by others. Bring the site back: undo \(short)."
        #expect(try mara.run("today").out.contains(advice))
        #expect(try mara.run("show", inspection).out.contains("Its site, Old mill, was deleted by others."))
        #expect(try mara.run("submit", inspection).out.contains(advice.dropLast()))
        #expect(try mara.run("list", "--deleted", "--json").out.contains("Old mill"))

        #expect(try mara.run("undo", short).status == 0)
        let back = try mara.run("sync")
        #expect(back.status == 0 && back.out == "Sent 1 site and 1 inspection.\n", "\(back)")
        #expect(try ines.run("sync").status == 0)
        #expect(try ines.ids("sites") == [site])
        #expect(try mara.run("list", "--deleted").out == "Nothing that was deleted is kept here.\n")
    }

    /// The gateway says what the time is when a laptop connects.
    @Test(.timeLimit(.minutes(2))) func nothingIsSaidOfAClockThatIsRight() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        try gateway.setFieldUser("mara", ["district.hill"])
        let mara = try FieldLaptop()
        #expect(try mara.login(gateway, "mara").status == 0)
        #expect(try mara.run("sync").out == "Nothing new on either side.\n")
        #expect(try mara.syncStatus()["clockAheadSeconds"] == nil)
    }

    static func file(_ path: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(path)
    }
}
