import Foundation
import SeededRandom
import Testing

/// Two laptops on one record, with a real gateway and the sync function that comes with Fieldbook.
@Suite(.serialized) struct TwoLaptopsTests {
    private let gateway: Gateway

    init() throws {
        gateway = try Gateway()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("sample-data/sync.js")
        try gateway.makeFieldDatabase(sync: try String(contentsOf: file, encoding: .utf8))
        for user in ["mara", "ines"] { try gateway.setFieldUser(user, ["district.hill"]) }
    }

    /// One draft on both laptops, everything exchanged.
    private func laptops() throws -> (FieldLaptop, FieldLaptop, String) {
        let (one, two) = (try FieldLaptop(), try FieldLaptop())
        #expect(try one.login(gateway, "mara").status == 0)
        #expect(try two.login(gateway, "mara").status == 0)
        #expect(try one.run("new", "site", "Mill", "district=hill").status == 0)
        #expect(try one.run("new", "inspection", "mill", "score=10", "--yes").status == 0)
        #expect(try one.run("sync").status == 0)
        #expect(try two.run("sync").status == 0)
        return (one, two, try #require(try one.ids("inspections").first))
    }

    private func record(_ laptop: FieldLaptop, _ id: String) throws -> [String: Any] {
        try laptop.run("show", id, "--json").events.first ?? [:]
    }

    /// It is of the one who signs in.
    @Test(.timeLimit(.minutes(2))) func workOfBeforeTheFirstLoginIsSent() throws {
        let mara = try FieldLaptop()
        #expect(try mara.run("new", "site", "Mill", "district=hill").status == 0)
        #expect(try mara.run("new", "inspection", "mill", "score=10", "--finding", "Dust", "--yes").status == 0)
        let id = try #require(try mara.ids("inspections").first)
        #expect(try mara.run("edit", id, "notes=first").status == 0 && mara.run("submit", id).status == 0)
        #expect(try mara.login(gateway, "mara").status == 0)
        let sync = try mara.run("sync")
        #expect(sync.status == 0 && !sync.out.contains("refused"), "\(sync.out) \(sync.err)")
        #expect(try mara.run("outbox", "--json").events.isEmpty)
        let inspection = try record(mara, id)
        #expect(inspection["createdBy"] as? String == "mara" && inspection["notes"] as? String == "first")
    }

    @Test(.timeLimit(.minutes(5))) func twoEditsOfOneDraft() throws {
        let (one, two, id) = try laptops()
        #expect(try two.run("edit", id, "score=60", "visit=complaint").status == 0)
        #expect(try two.run("sync").status == 0)
        #expect(try one.run("edit", id, "score=80", "notes=from device 1").status == 0)
        let sync = try one.run("sync")
        #expect(sync.status == 0, "\(sync.out) \(sync.err)")
        #expect(sync.out.contains("was changed on both sides. To decide: Score; see: conflicts"), "\(sync.out)")
        #expect(sync.out.contains("Score: now 80 (mara on "), "\(sync.out)")
        #expect(!sync.out.contains("refused"), "\(sync.out)")
        #expect(try one.run("outbox", "--json").events.isEmpty)
        // What was put together reaches the other laptop with the same current value and the same to decide.
        try exchange(one, two)
        for laptop in [one, two] {
            let present = try record(laptop, id)
            #expect(present["score"] as? Int == 80 && present["visit"] as? String == "complaint")
            #expect(present["notes"] as? String == "from device 1")
            #expect(try laptop.run("conflicts", "--json").events.count == 1)
            #expect(try laptop.run("status", "--json").events.first?["conflicts"] as? Int == 1)
        }
        // Decided on the laptop that typed 60, for both.
        let decided = try two.run("conflicts", "take", "1", "mine")
        #expect(decided.status == 0 && decided.out == "Decided: Score is 60.\n", "\(decided.out) \(decided.err)")
        try exchange(two, one)
        for laptop in [one, two] {
            #expect(try record(laptop, id)["score"] as? Int == 60)
            #expect(try laptop.run("conflicts").out == "There is nothing to decide.\n")
        }
    }

    @Test(.timeLimit(.minutes(5))) func anEditBeatsADeletion() throws {
        let (one, two, id) = try laptops()
        #expect(try two.run("delete", id, "--yes").status == 0)
        let deletion = try two.run("sync")
        #expect(deletion.out == "Sent the deletion of 1 inspection.\n", "\(deletion.out)")
        #expect(try one.run("edit", id, "notes=not yet done").status == 0)
        let sync = try one.run("sync")
        #expect(sync.out.contains("To decide: deleted or kept"), "\(sync.out)")
        try exchange(one, two)
        for laptop in [one, two] { #expect(try record(laptop, id)["notes"] as? String == "not yet done") }
        #expect(try two.run("conflicts", "take", "1", "keep").status == 0)
        try exchange(two, one)
        #expect(try one.run("conflicts").out == "There is nothing to decide.\n")
        #expect(try one.run("outbox", "--json").events.isEmpty)
    }

    @Test(.timeLimit(.minutes(5))) func aDeletionThatMeetsAnEditSaysWhoMadeIt() throws {
        let (one, two, id) = try laptops()
        #expect(try two.run("delete", id, "--yes").status == 0)
        #expect(try one.run("edit", id, "notes=not yet done").status == 0)
        #expect(try one.run("sync").status == 0)
        let merging = try two.run("sync")
        #expect(merging.out.contains("To decide: deleted or kept; see: conflicts\n  Deleted by "), "\(merging.out)")
        let receiving = try one.run("sync")
        #expect(receiving.out.contains("1 inspection has something to decide: conflicts\n"), "\(receiving.out)")
        for laptop in [one, two] {
            let shown = try laptop.run("conflicts", "show", id).out
            #expect(shown.contains("deleted by ") && shown.contains(" on "), "\(shown)")
        }
    }

    /// Who asks for another try hears what comes of it.
    @Test(.timeLimit(.minutes(2))) func aRefusalAfterARetryIsOneOfNow() throws {
        let (one, _, _) = try laptops()
        #expect(try one.run("new", "site", "Shop", "district=mill", "--yes").status == 0)
        let now = "The gateway refused 1 record, safe here in the outbox"
        #expect(try one.run("sync").out.contains(now))
        #expect(try one.run("sync").out.contains("1 record refused by the gateway earlier waits"))
        #expect(try one.run("outbox", "retry", "1").status == 0)
        let sync = try one.run("sync")
        #expect(sync.out.contains(now), "\(sync.out)")
        #expect(try one.run("sync").out.contains("1 record refused by the gateway earlier waits"))
    }

    /// What one laptop finds while another says that the inspection is of another site.
    @Test(.timeLimit(.minutes(5))) func aFindingFollowsItsInspection() throws {
        let (one, two) = (try FieldLaptop(), try FieldLaptop())
        #expect(try one.login(gateway, "mara").status == 0)
        #expect(try two.login(gateway, "ines").status == 0)
        for site in ["Mill", "Barn"] { #expect(try one.run("new", "site", site, "district=hill").status == 0) }
        #expect(try one.run("new", "inspection", "mill", "score=10", "--yes").status == 0)
        try exchange(one, two)
        let id = try #require(try one.ids("inspections").first)
        #expect(try two.run("new", "finding", id, "text=Dust").status == 0)
        #expect(try one.run("edit", id, "site=barn").status == 0)
        #expect(try one.run("sync").status == 0)
        let sync = try two.run("sync")
        #expect(sync.out.contains("1 finding has the site and the day of its inspection by now:\n"), "\(sync.out)")
        #expect(sync.out.contains(", Barn, Dust\n"), "\(sync.out)")
        #expect(try one.run("sync").status == 0)
        for laptop in [one, two] {
            #expect(try laptop.run("list", "findings", "--site", "barn", "--json").events.count == 1)
            #expect(try laptop.run("list", "findings", "--site", "mill", "--json").events.isEmpty)
        }
    }

    /// What one laptop finds while another says that the inspection is of another day; and both say so, differently.
    @Test(.timeLimit(.minutes(5))) func aFindingHasTheDayOfItsInspection() throws {
        let (one, two, id) = try laptops()
        let days = ["2026-03-05", "2026-03-06", "2026-03-07"]
        #expect(try two.run("new", "finding", id, "text=Dust").status == 0)
        #expect(try one.run("edit", id, "date=\(days[0])", "--yes").status == 0)
        try exchange(one, two)
        #expect(try one.run("sync").status == 0)
        for laptop in [one, two] { #expect(try findingDays(laptop) == [days[0]]) }
        #expect(try one.run("edit", id, "date=\(days[1])", "--yes").status == 0)
        #expect(try two.run("edit", id, "date=\(days[2])", "--yes").status == 0)
        try exchange(one, two)
        #expect(try one.run("sync").status == 0)
        #expect(try one.run("conflicts", "--json").events.count == 1)
        #expect(try one.run("conflicts", "show", id).status == 0)
        #expect(try one.run("conflicts", "take", id, "date=\(days[0])", "--yes").status == 0)
        try exchange(one, two)
        for laptop in [one, two] {
            #expect(try findingDays(laptop) == [days[0]])
            #expect(try laptop.run("conflicts").out == "There is nothing to decide.\n")
        }
    }

    private func findingDays(_ laptop: FieldLaptop) throws -> [String] {
        try laptop.run("list", "findings", "--json").events.compactMap { $0["date"] as? String }
    }

    /// A supervisor moves an inspection to a district that its inspector does not have.
    @Test(.timeLimit(.minutes(5))) func aFindingFollowsIntoAnotherDistrict() throws {
        try gateway.setFieldUser("tomas", ["district.hill"])
        try gateway.setFieldUser("vera", ["district.hill", "district.mill"], roles: ["supervisor"])
        let (one, two) = (try FieldLaptop(), try FieldLaptop())
        #expect(try one.login(gateway, "tomas").status == 0)
        #expect(try two.login(gateway, "vera").status == 0)
        #expect(try one.run("new", "site", "Farm", "district=hill").status == 0)
        #expect(try two.run("new", "site", "Shop", "district=mill").status == 0)
        #expect(try one.run("new", "inspection", "farm", "score=10", "--yes").status == 0)
        try exchange(one, two)
        let id = try #require(try one.ids("inspections").first)
        #expect(try one.run("new", "finding", id, "text=Dust").status == 0)
        #expect(try two.run("edit", id, "site=shop").status == 0)
        #expect(try two.run("sync").status == 0)
        let history = URL(fileURLWithPath: one.folder).appendingPathComponent("history")
        try Data("edit \(id) notes=Dust\n".utf8).write(to: history)
        #expect(try one.run("sync").out.contains("Taken from this laptop"))
        #expect(!FileManager.default.fileExists(atPath: history.path), "what was typed goes, too")
        let sync = try two.run("sync")
        #expect(sync.out.contains(", Shop, Dust\n"), "\(sync.out)")
        #expect(try two.run("list", "findings", "--site", "shop", "--json").events.count == 1)
        #expect(try one.run("sync").out.contains("1 finding"))
        #expect(try one.run("list", "findings", "--json").events.isEmpty)
    }

    /// A record takes its district from its site: what is open about the one is open about the other.
    @Test(.timeLimit(.minutes(5))) func twoSitesOfDifferentDistricts() throws {
        try gateway.setFieldUser("tomas", ["district.hill"])
        try gateway.setFieldUser("vera", ["district.hill", "district.mill"], roles: ["supervisor"])
        let (one, two) = (try FieldLaptop(), try FieldLaptop())
        #expect(try one.login(gateway, "tomas").status == 0)
        #expect(try two.login(gateway, "vera").status == 0)
        for site in ["Farm", "Far barn"] { #expect(try one.run("new", "site", site, "district=hill").status == 0) }
        #expect(try two.run("new", "site", "Shop", "district=mill").status == 0)
        #expect(try one.run("new", "inspection", "farm", "score=10", "--yes").status == 0)
        let id = try #require(try one.ids("inspections").first)
        #expect(try one.run("new", "finding", id, "text=Dust").status == 0)
        try exchange(one, two)
        #expect(try one.run("edit", id, "site=far barn").status == 0)
        #expect(try two.run("edit", id, "site=shop").status == 0)
        try exchange(one, two)
        #expect(try one.run("sync").status == 0)
        // Until it is decided, both have it.
        for laptop in [one, two] {
            #expect(try record(laptop, id)["score"] as? Int == 10)
            let shown = try laptop.run("conflicts", "show", id).out
            #expect(shown.contains("Site") && shown.contains("District"), "\(shown)")
        }
        let decided = try two.run("conflicts", "take", id, "theirs")
        #expect(decided.status == 0, "\(decided.out) \(decided.err)")
        try exchange(two, one)
        for laptop in [one, two] {
            #expect(try record(laptop, id)["district"] as? String == "hill")
            #expect(try laptop.run("conflicts").out == "There is nothing to decide.\n")
            #expect(try laptop.run("list", "findings", "--site", "far barn", "--json").events.count == 1)
        }
    }

    /// Three laptops edit one draft at random, and sync now and then. What each typed is kept at the end, or is to be
    /// decided, or was replaced by somebody who had it on the screen.
    @Test(.timeLimit(.minutes(10)), arguments: [1, 2] as [UInt64]) func threeLaptopsAtRandom(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (one, two, id) = try laptops()
        let three = try FieldLaptop()
        #expect(try three.login(gateway, "ines").status == 0)
        #expect(try three.run("sync").status == 0)
        let all = [one, two, three]
        var typed: Set<String> = []
        var replaced: Set<String> = []
        for step in 0..<24 {
            let laptop = all[random.number(below: all.count)]
            guard random.number(below: 3) > 0 else {
                #expect(try laptop.run("sync").status == 0)
                continue
            }
            let field = ["score", "notes"][random.number(below: 2)]
            if let present = try record(laptop, id)[field] { replaced.insert("\(field)=\(present)") }
            typed.insert("\(field)=\(step)")
            #expect(try laptop.run("edit", id, "\(field)=\(step)").status == 0)
        }
        for laptop in all + all { #expect(try laptop.run("sync").status == 0) }
        let ends = try all.map { try record($0, id) as NSDictionary }
        #expect(ends[0] == ends[1] && ends[1] == ends[2])
        let entries = ends[0]["conflicts"] as? [[String: Any]] ?? []
        let kept = Set(
            ["score", "notes"].compactMap { field in ends[0][field].map { "\(field)=\($0)" } }
                + entries.compactMap { entry in entry["value"].map { "\(entry["field"] ?? "")=\($0)" } })
        #expect(typed.subtracting(replaced).isSubset(of: kept), "\(typed) \(replaced) \(ends[0])")
        #expect(try three.run("outbox", "--json").events.isEmpty)
    }

    private func exchange(_ first: FieldLaptop, _ second: FieldLaptop) throws {
        for laptop in [first, second] {
            let sync = try laptop.run("sync")
            #expect(sync.status == 0, "\(sync.out) \(sync.err)")
        }
    }
}
