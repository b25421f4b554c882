import Foundation
import Testing

/// A gateway that was restored from a backup: each person's work comes back from that person's laptop, in whatever order they
/// sync.
@Suite(.serialized) struct RestoredGatewayTests {
    private let gateway: Gateway

    init() throws {
        gateway = try Gateway()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("sample-data/sync.js")
        try gateway.makeFieldDatabase(sync: try String(contentsOf: file, encoding: .utf8))
        for user in ["mara", "otto"] { try gateway.setFieldUser(user, ["district.hill"]) }
        try gateway.setFieldUser("sven", ["district.hill"], roles: ["supervisor"])
    }

    private var configuration: String { gateway.folder.appendingPathComponent("gateway.yaml").path }
    private func backup(_ name: String) -> String { gateway.folder.appendingPathComponent(name).path }

    private func makeBackup(_ name: String) throws {
        let made = try Program.gateway.run(["backup", "--config", configuration, backup(name)])
        #expect(made.status == 0, "\(made.err)")
    }

    private func restore(_ name: String) throws {
        gateway.kill(SIGTERM)
        let restored = try Program.gateway.run(
            ["restore", "--config", configuration, "--database", "db", "--replace", backup(name)])
        #expect(restored.status == 0, "\(restored.err)")
        try gateway.start()
    }

    private func laptop(_ user: String) throws -> FieldLaptop {
        let laptop = try FieldLaptop()
        #expect(try laptop.login(gateway, user).status == 0)
        return laptop
    }

    private func record(_ laptop: FieldLaptop, _ id: String) throws -> [String: Any] {
        try laptop.run("show", id, "--json").events.first ?? [:]
    }

    /// A site and an inspection of mara's, everywhere.
    private func share(_ mara: FieldLaptop, with others: [FieldLaptop]) throws -> String {
        #expect(try mara.run("new", "site", "Mill", "district=hill").status == 0)
        let site = try #require(try mara.ids("sites").first)
        #expect(try mara.run("new", "inspection", site, "score=10", "notes=first", "--yes").status == 0)
        for laptop in [mara] + others { #expect(try laptop.run("sync").status == 0) }
        return try #require(try mara.ids("inspections").first)
    }

    /// What was returned since the backup, and handed in again, comes back by its inspector, without the reason of the return.
    @Test(.timeLimit(.minutes(5))) func whatWasHandedInAgainComesBack() throws {
        let (mara, sven) = (try laptop("mara"), try laptop("sven"))
        try makeBackup("before")
        let id = try share(mara, with: [sven])
        #expect(try mara.run("submit", id).status == 0 && mara.run("sync").status == 0)
        #expect(try sven.run("sync").status == 0 && sven.run("return", id, "score it again").status == 0)
        #expect(try sven.run("sync").status == 0 && mara.run("sync").status == 0)
        #expect(try mara.run("edit", id, "score=12").status == 0 && mara.run("submit", id).status == 0)
        for laptop in [mara, sven] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        for laptop in [mara, sven, mara, sven] { _ = try laptop.run("sync") }
        for laptop in [mara, sven] {
            let inspection = try record(laptop, id)
            #expect(inspection["score"] as? Int == 12, "\(inspection)")
            #expect(inspection["status"] as? String == "submitted", "\(inspection)")
            #expect(try laptop.run("outbox").out.contains("The gateway has refused nothing."))
        }
        #expect(try sven.run("approve", id).status == 0 && sven.run("sync").status == 0)
        #expect(try mara.run("sync").status == 0)
        #expect(try record(mara, id)["status"] as? String == "approved")
    }

    /// Colleagues have what the gateway has lost, and hear of its deletion all the same.
    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func aDeletionThatComesBeforeItsRecordReachesEverybody(isColleagueFirst: Bool) throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        try makeBackup("before")
        let id = try share(mara, with: [otto])
        try restore("before")
        #expect(try mara.run("delete", id, "--yes").status == 0)
        if isColleagueFirst { #expect(try otto.run("sync").status == 0) }
        for laptop in [mara, otto, mara, otto] { #expect(try laptop.run("sync").status == 0) }
        for laptop in [mara, otto] {
            #expect(try laptop.ids("inspections").isEmpty)
            #expect(try laptop.run("outbox").out.contains("The gateway has refused nothing."))
        }
    }

    /// Who has only received a deletion sends it on as it is, so that it reaches those who were away.
    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func aDeletionThatWasReceivedReachesWhoWasAway(isSupervisorFirst: Bool) throws {
        let (mara, otto, sven) = (try laptop("mara"), try laptop("otto"), try laptop("sven"))
        let (receiver, away) = isSupervisorFirst ? (sven, otto) : (otto, sven)
        try makeBackup("before")
        let id = try share(mara, with: [receiver, away])
        #expect(try mara.run("delete", id, "--yes").status == 0 && mara.run("sync").status == 0)
        #expect(try receiver.run("sync").status == 0)
        try restore("before")
        for laptop in [receiver, mara, away, receiver, mara, away] { _ = try laptop.run("sync") }
        for laptop in [mara, receiver, away] { #expect(try laptop.ids("inspections").isEmpty) }
        try expectNothingRefused([mara, receiver, away])
    }

    /// A gateway that has lost a record takes its deletion from nobody who could not delete it before.
    @Test(.timeLimit(.minutes(5))) func aRefusedDeletionTakesNothingAfterARestore() throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        try makeBackup("before")
        let id = try share(mara, with: [otto])
        #expect(try otto.run("delete", id, "--yes").status == 0)
        _ = try otto.run("sync")
        #expect(try otto.run("outbox").out.contains("Only a supervisor deletes records of others"))
        try restore("before")
        for laptop in [otto, mara, otto, mara] { _ = try laptop.run("sync") }
        #expect(try record(mara, id)["notes"] as? String == "first")
        let sven = try laptop("sven")
        #expect(try sven.run("sync").status == 0 && sven.ids("inspections") == [id])
    }

    private func expectNothingRefused(_ laptops: [FieldLaptop]) throws {
        for laptop in laptops {
            let outbox = try laptop.run("outbox").out
            #expect(outbox.contains("The gateway has refused nothing."), "\(outbox)")
        }
    }

    /// Neither of the two waits for the other: who changed it last brings all of it back.
    @Test(.timeLimit(.minutes(5))) func whatAColleagueAddedToASubmissionComesBack() throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        let id = try share(mara, with: [otto])
        try makeBackup("before")
        #expect(try mara.run("edit", id, "score=99").status == 0 && mara.run("submit", id).status == 0)
        #expect(try otto.run("edit", id, "notes=by otto", "--yes").status == 0)
        for laptop in [mara, otto, mara] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        for laptop in [otto, mara, otto, mara] { _ = try laptop.run("sync") }
        for laptop in [mara, otto] {
            let inspection = try record(laptop, id)
            #expect(inspection["score"] as? Int == 99 && inspection["notes"] as? String == "by otto", "\(inspection)")
            #expect(inspection["status"] as? String == "submitted", "\(inspection)")
        }
        try expectNothingRefused([mara, otto])
    }

    /// Of two who have approved it one is named in it, and the other has changed it last.
    @Test(.timeLimit(.minutes(5))) func whatTwoSupervisorsApprovedBlocksNobody() throws {
        try gateway.setFieldUser("sina", ["district.hill"], roles: ["supervisor"])
        let (mara, sven, sina) = (try laptop("mara"), try laptop("sven"), try laptop("sina"))
        let id = try share(mara, with: [sven, sina])
        #expect(try mara.run("submit", id).status == 0)
        for laptop in [mara, sven, sina] { #expect(try laptop.run("sync").status == 0) }
        try makeBackup("before")
        #expect(try sven.run("approve", id).status == 0 && sina.run("approve", id).status == 0)
        for laptop in [sven, sina, sven, mara] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        for laptop in [mara, sven, sina, mara, sven, sina, mara] { _ = try laptop.run("sync") }
        try expectNothingRefused([mara, sven, sina])
        let states = try [mara, sven, sina].map { try record($0, id)["status"] as? String }
        #expect(Set(states).count == 1 && states[0] != "draft", "\(states)")
    }

    /// A colleague hands in what the lost laptop had handed in.
    @Test(.timeLimit(.minutes(5))) func aColleagueSendsWhatALostLaptopHandedIn() throws {
        let (mara, otto, sven) = (try laptop("mara"), try laptop("otto"), try laptop("sven"))
        let id = try share(mara, with: [otto])
        try makeBackup("before")
        #expect(try mara.run("edit", id, "score=99").status == 0 && mara.run("submit", id).status == 0)
        for laptop in [mara, otto] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        _ = try otto.run("sync")
        #expect(try otto.run("outbox", "retry", "of", "mara", "--yes").status == 0)
        for laptop in [otto, otto, sven] { #expect(try laptop.run("sync").status == 0) }
        try expectNothingRefused([otto])
        let inspection = try record(sven, id)
        #expect(inspection["score"] as? Int == 99 && inspection["status"] as? String == "submitted", "\(inspection)")
    }

    /// Its creator cannot bring an approval back, only what was before; the laptop of who gave it does the rest. The office's
    /// sends it as it is.
    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func anApprovalComesBackInWhateverOrder(isOfficeFirst: Bool) throws {
        try gateway.setFieldUser("olga", ["district.hill"], roles: ["office"])
        let (mara, sven, olga) = (try laptop("mara"), try laptop("sven"), try laptop("olga"))
        try makeBackup("before")
        let id = try share(mara, with: [sven])
        #expect(try mara.run("submit", id).status == 0 && mara.run("sync").status == 0)
        #expect(try sven.run("sync").status == 0 && sven.run("approve", id).status == 0)
        for laptop in [sven, mara, olga] { #expect(try laptop.run("sync").status == 0) }
        #expect(try record(mara, id)["status"] as? String == "approved")
        try restore("before")
        if isOfficeFirst { #expect(try olga.run("sync").status == 0) }
        let sync = try mara.run("sync")
        #expect(sync.status == 0 && !sync.out.contains("refused"), "\(sync.out)")
        #expect(try record(mara, id)["status"] as? String == (isOfficeFirst ? "approved" : "submitted"))
        for laptop in [olga, sven, mara, olga] { #expect(try laptop.run("sync").status == 0) }
        for laptop in [mara, sven, olga] {
            #expect(try record(laptop, id)["status"] as? String == "approved")
            let outbox = try laptop.run("outbox")
            #expect(outbox.out.hasPrefix("The gateway has refused nothing."), "\(outbox.out)")
            #expect(try laptop.run("conflicts").out == "There is nothing to decide.\n")
        }
    }

    /// The gateway has it as a draft of before, and sven's laptop is lost.
    @Test(.timeLimit(.minutes(5)), arguments: ["approve", "return"])
    func whatALostSupervisorReviewedComesBack(step: String) throws {
        let (mara, sven) = (try laptop("mara"), try laptop("sven"))
        let id = try share(mara, with: [sven])
        try makeBackup("before")
        #expect(try mara.run("edit", id, "notes=a whole paragraph").status == 0)
        #expect(try mara.run("submit", id).status == 0 && mara.run("sync").status == 0)
        #expect(try sven.run("sync").status == 0)
        let reviewed = try step == "approve" ? sven.run("approve", id) : sven.run("return", id, "score it again")
        #expect(reviewed.status == 0, "\(reviewed.err)")
        for laptop in [sven, mara] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        _ = try mara.run("sync")
        #expect(try mara.run("outbox", "retry", "of", "sven", "--yes").status == 0)
        for _ in 0..<2 { _ = try mara.run("sync") }
        let outbox = try mara.run("outbox")
        #expect(outbox.out.hasPrefix("The gateway has refused nothing."), "\(outbox.out)")
        let other = try laptop("sven")
        #expect(try other.run("sync").status == 0)
        let inspection = try record(other, id)
        #expect(inspection["notes"] as? String == "a whole paragraph", "\(inspection)")
        #expect(inspection["status"] as? String == (step == "approve" ? "submitted" : "draft"), "\(inspection)")
    }

    /// She may not change what was assigned: what she sent for him is refused, and she gives it up.
    @Test(.timeLimit(.minutes(5))) func whatIsDiscardedIsAsTheGatewayHasIt() throws {
        let (mara, sven) = (try laptop("mara"), try laptop("sven"))
        _ = try share(mara, with: [sven])
        let site = try #require(try sven.ids("sites").first)
        let made = try sven.run("new", "assignment", site, "inspector=mara", "due=2026-12-01", "--yes")
        #expect(made.status == 0, "\(made.err)")
        for laptop in [sven, mara] { #expect(try laptop.run("sync").status == 0) }
        let id = try #require(try mara.ids("assignments").first)
        try makeBackup("before")
        #expect(try sven.run("edit", id, "due=2026-12-09").status == 0)
        for laptop in [sven, mara] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        _ = try mara.run("sync")
        #expect(try mara.run("outbox", "retry", "of", "sven", "--yes").status == 0)
        _ = try mara.run("sync")
        let number = try #require(try mara.run("outbox", "--json").events.first?["number"] as? Int)
        let discarded = try mara.run("outbox", "discard", "\(number)", "--yes")
        #expect(discarded.out.contains("The next sync brings the gateway's version"), "\(discarded.out)")
        #expect(try mara.run("sync").status == 0)
        #expect(try record(mara, id)["due"] as? String == "2026-12-01")
    }

    @Test(.timeLimit(.minutes(5))) func whatOthersOnlyReceivedStaysItsCreators() throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        try makeBackup("before")
        let id = try share(mara, with: [otto])
        try restore("before")
        for _ in 0..<2 {
            let sync = try otto.run("sync")
            #expect(sync.out.contains("of others are not at the gateway as here"), "\(sync.out)")
            #expect(!sync.out.contains("Sent"), "\(sync.out)")
        }
        #expect(try otto.run("outbox").out.contains("It comes back when mara's laptop syncs."))
        #expect(try otto.waiting() == 0)
        // Who sends all again has said of none that its creator's laptop is lost.
        let all = try otto.run("outbox", "retry", "all", "--yes").out
        #expect(all.hasPrefix("2 records of others wait for the laptop of the person who made it."), "\(all)")
        #expect(try otto.waiting() == 0)
        #expect(try mara.run("sync").out == "Sent 1 site and 1 inspection.\n")
        #expect(try otto.run("sync").status == 0)
        for laptop in [mara, otto] {
            #expect(try laptop.run("outbox", "--json").events.isEmpty)
            #expect(try laptop.run("conflicts").out == "There is nothing to decide.\n")
            #expect(try record(laptop, id)["createdBy"] as? String == "mara")
        }
    }

    /// The laptop had sent nothing since the backup, and its checkpoint there is older in what it received alone.
    @Test(.timeLimit(.minutes(5))) func whoOnlyReceivedSinceTheBackupNoticesWhatIsLost() throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        _ = try share(mara, with: [otto])
        for _ in 0..<2 { #expect(try otto.run("sync").status == 0) }
        try makeBackup("before")
        let site = try #require(try mara.ids("sites").first)
        #expect(try mara.run("new", "inspection", site, "score=66", "notes=second", "--yes").status == 0)
        for laptop in [mara, otto] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        let sync = try otto.run("sync").out
        #expect(sync.contains("1 record of others is not at the gateway as here"), "\(sync)")
        #expect(try mara.run("sync").out == "Sent 1 inspection.\n")
        _ = try otto.run("sync")
        #expect(try otto.run("outbox", "--json").events.isEmpty)
    }

    /// A supervisor goes on from the older version, with so many edits that the gateway's history does not come to where otto's
    /// began.
    @Test(.timeLimit(.minutes(5))) func whatIsLostIsKeptBesideVeryManyEdits() throws {
        let (mara, otto, sven) = (try laptop("mara"), try laptop("otto"), try FieldLaptop())
        #expect(try sven.login(gateway, "sven").status == 0)
        let id = try share(mara, with: [otto, sven])
        try makeBackup("before")
        #expect(try otto.run("edit", id, "notes=a whole paragraph", "--yes").status == 0)
        #expect(try otto.run("sync").status == 0)
        #expect(try otto.run("edit", id, "visit=complaint", "--yes").status == 0)
        try restore("before")
        for score in 20...80 { #expect(try sven.run("edit", id, "score=\(score)").status == 0) }
        #expect(try sven.run("sync").status == 0)
        _ = try otto.run("sync")
        let shown = try otto.run("show", id).out
        #expect(shown.contains("a whole paragraph") && shown.contains("first"), "\(shown)")
        #expect(try otto.run("conflicts").out != "There is nothing to decide.\n")
    }

    /// Her laptop was put back from a copy itself: what she made then has numbers that the gateway's copy of the checkpoint
    /// speaks of already, since they were those of other work.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func whatALaptopSentThatWasPutBackItselfComesBack(hasPulledMore: Bool) throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        let id = try share(mara, with: [otto])
        let copy = mara.path("copy")
        try FileManager.default.copyItem(atPath: mara.folder, toPath: copy)
        for day in 1...6 { #expect(try mara.run("edit", id, "notes=day \(day)").status == 0) }
        for _ in 0..<2 { #expect(try mara.run("sync").status == 0) }
        try makeBackup("before")
        try FileManager.default.removeItem(atPath: mara.folder)
        try FileManager.default.moveItem(atPath: copy, toPath: mara.folder)
        #expect(try mara.run("sync").status == 0)
        let site = try #require(try mara.ids("sites").first)
        #expect(try mara.run("new", "inspection", site, "score=90", "notes=a day of work", "--yes").status == 0)
        let made = try #require(try mara.ids("inspections").first { $0 != id })
        for laptop in [mara, otto] { #expect(try laptop.run("sync").status == 0) }
        if hasPulledMore {
            #expect(try otto.run("edit", id, "score=7", "--yes").status == 0)
            for laptop in [otto, mara, mara] { #expect(try laptop.run("sync").status == 0) }
        }
        try restore("before")
        for _ in 0..<2 { _ = try mara.run("sync") }
        let sven = try laptop("sven")
        #expect(try sven.run("sync").status == 0)
        #expect(try record(sven, made)["notes"] as? String == "a day of work")
    }

    @Test(.timeLimit(.minutes(5))) func newerWorkIsKeptBesideWhatGoesOnFromAnOlderVersion() throws {
        let (mara, sven) = (try laptop("mara"), try laptop("sven"))
        let id = try share(mara, with: [sven])
        try makeBackup("before")
        #expect(try mara.run("edit", id, "notes=a whole paragraph", "score=66").status == 0)
        #expect(try mara.run("sync").out == "Sent 1 inspection.\n")
        try restore("before")
        #expect(try sven.run("edit", id, "visit=complaint").status == 0)
        #expect(try sven.run("sync").status == 0)
        let sync = try mara.run("sync")
        #expect(sync.out.contains("was changed on both sides. To decide: Notes, Score, Visit"), "\(sync.out)")
        #expect(try sven.run("sync").status == 0)
        for laptop in [mara, sven] {
            let shown = try laptop.run("show", id).out
            for value in ["a whole paragraph", "first", "66", "10", "complaint"] {
                #expect(shown.contains(value), "\(shown)")
            }
            #expect(try laptop.run("outbox", "--json").events.isEmpty)
        }
    }

    /// Who wrote it is the only one who has it, and may not see the record any more.
    @Test(.timeLimit(.minutes(5))) func workThatABackupLacksIsQuarantinedWhereAccessIsLost() throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        let id = try share(mara, with: [otto])
        try makeBackup("before")
        #expect(try mara.run("edit", id, "notes=a whole paragraph").status == 0)
        for laptop in [mara, otto] { #expect(try laptop.run("sync").status == 0) }
        try restore("before")
        for user in ["mara", "otto"] { try gateway.setFieldUser(user, ["district.valley"]) }
        for laptop in [mara, otto] {
            _ = try laptop.run("sync")
            #expect(try laptop.ids("inspections").isEmpty)
        }
        let kept = try mara.run("quarantine", "show", "1").out
        #expect(kept.contains("a whole paragraph"), "\(kept)")
        let others = try otto.run("quarantine").out
        #expect(others.hasPrefix("Nothing"), "\(others)")
    }

    /// Somebody takes over what is lost by the wrong backup; the right one has it as it was.
    @Test(.timeLimit(.minutes(5))) func aRecordStaysItsCreatorsWhereTheWrongBackupCameFirst() throws {
        let (mara, otto) = (try laptop("mara"), try laptop("otto"))
        try makeBackup("wrong")
        let id = try share(mara, with: [otto])
        try makeBackup("right")
        try restore("wrong")
        #expect(try otto.run("sync").status == 0)
        for refused in try otto.run("outbox", "--json").events {
            let number = try #require(refused["number"] as? Int)
            #expect(try otto.run("outbox", "retry", "\(number)", "--yes").status == 0)
        }
        #expect(try otto.run("sync").status == 0)
        #expect(try record(otto, id)["createdBy"] as? String == "otto")
        try restore("right")
        // The first is refused what otto took over, and the next one leaves it to mara.
        _ = try otto.run("sync")
        #expect(try otto.run("sync").status == 0)
        #expect(try mara.run("sync").status == 0)
        #expect(try otto.run("edit", id, "notes=by otto").status == 0)
        for laptop in [otto, mara] { #expect(try laptop.run("sync").status == 0) }
        for laptop in [mara, otto] {
            let present = try record(laptop, id)
            #expect(present["createdBy"] as? String == "mara" && present["notes"] as? String == "by otto", "\(present)")
            #expect(try laptop.run("outbox", "--json").events.isEmpty)
            #expect(try laptop.run("conflicts").out == "There is nothing to decide.\n")
        }
    }

    /// Its inspector brings it back without the review while the wrong backup is there; the right one has it as a draft.
    @Test(.timeLimit(.minutes(5)), arguments: ["approve", "return"])
    func aReviewStaysWhereTheWrongBackupCameFirst(step: String) throws {
        let (mara, sven) = (try laptop("mara"), try laptop("sven"))
        try makeBackup("wrong")
        let id = try share(mara, with: [sven])
        try makeBackup("right")
        #expect(try mara.run("submit", id).status == 0 && mara.run("sync").status == 0)
        #expect(try sven.run("sync").status == 0)
        let reviewed = try step == "approve" ? sven.run("approve", id) : sven.run("return", id, "score it again")
        #expect(reviewed.status == 0, "\(reviewed.err)")
        for laptop in [sven, mara] { #expect(try laptop.run("sync").status == 0) }
        try restore("wrong")
        _ = try mara.run("sync")
        try restore("right")
        for laptop in [mara, sven, mara] { _ = try laptop.run("sync") }
        for laptop in [mara, sven] {
            let present = try record(laptop, id)
            #expect(present["status"] as? String == (step == "approve" ? "approved" : "returned"), "\(present)")
            #expect(try laptop.run("outbox", "--json").events.isEmpty)
            #expect(try laptop.run("conflicts").out == "There is nothing to decide.\n")
        }
    }

    /// Nobody is named as who made them, and no other laptop could send them.
    @Test(.timeLimit(.minutes(5))) func formsWaitForTheLaptopOfTheOffice() throws {
        try gateway.setFieldUser("olga", ["district.hill"], roles: ["office"])
        let (mara, olga) = (try laptop("mara"), try laptop("olga"))
        let forms = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("sample-data/forms.jsonl")
        try makeBackup("before")
        let imported = try olga.run("import", forms.path)
        #expect(imported.status == 0, "\(imported.err)")
        for laptop in [olga, mara] { #expect(try laptop.run("sync").status == 0) }
        let count = try mara.ids("forms").count
        #expect(count > 0)
        try restore("before")
        for _ in 0..<2 {
            let sync = try mara.run("sync")
            #expect(sync.status == 0 && sync.out.contains("of others are not at the gateway as here"), "\(sync.out)")
        }
        #expect(try mara.run("outbox").out.contains("It comes back when a laptop of the office syncs."))
        #expect(try mara.run("outbox", "discard", "all", "--yes").status == 0)
        #expect(try mara.ids("forms").count == count)
        for laptop in [olga, mara] { #expect(try laptop.run("sync").status == 0) }
        #expect(try mara.run("outbox", "--json").events.isEmpty)
        #expect(try mara.ids("forms").count == count)
    }
}
