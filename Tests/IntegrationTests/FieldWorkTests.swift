import Foundation
import Glibc
import Testing

/// The field application with a real gateway, as workers use both.
@Suite(.serialized) struct FieldWorkTests {
    private func gateway(_ users: [String: [String]]) throws -> Gateway {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        for (name, channels) in users { try gateway.setFieldUser(name, channels) }
        return gateway
    }

    @Test(.timeLimit(.minutes(3))) func aRecordAndItsPhotoReachAColleague() throws {
        let gateway = try gateway(["mara": ["district.hill"], "ines": ["district.hill"], "tomas": ["district.shore"]])
        let (mara, ines, tomas) = (try FieldLaptop(), try FieldLaptop(), try FieldLaptop())
        #expect(try mara.login(gateway, "mara").status == 0)
        let photo = mara.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47] + (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }).write(
            to: photo)
        #expect(try mara.run("new", "site", "Mill", "district=hill").status == 0)
        #expect(try mara.run("new", "inspection", "mill", "score=90", "--finding", "Dust").status == 0)
        let inspection = try #require(try mara.ids("inspections").first)
        #expect(try mara.run("attach", inspection, photo.path).status == 0)
        #expect(try mara.waiting() == 3)
        #expect(try mara.run("sync").out == "Sent 1 site, 1 inspection, 1 finding and 1 photo (98 KB).\n")
        #expect(try mara.waiting() == 0)
        // The folder is hers, now that it holds what she may see.
        let stranger = try mara.login(gateway, "tomas")
        #expect(stranger.status == 1 && stranger.err.contains("are those of mara"))
        #expect(try mara.run("sync").status == 0)
        for (laptop, name, count) in [(ines, "ines", 1), (tomas, "tomas", 0)] {
            #expect(try laptop.login(gateway, name).status == 0)
            #expect(try laptop.run("sync").status == 0)
            #expect(try laptop.ids("inspections").count == count)
        }
        #expect(try ines.run("export", ines.path("out")).status == 0)
        let files = FileManager.default.enumerator(atPath: ines.path("out"))?.compactMap { $0 as? String } ?? []
        let copy = try #require(files.first { $0.hasSuffix("door.png") })
        #expect(try Data(contentsOf: URL(fileURLWithPath: ines.path("out/\(copy)"))) == Data(contentsOf: photo))
    }

    @Test(.timeLimit(.minutes(3))) func aRevocationTakesTheRecordsAndQuarantinesTheEdit() throws {
        // A gateway that took the edit of somebody without access would leave nothing to quarantine.
        let gateway = try Gateway()
        try gateway.makeFieldDatabase(sync: "function(doc) { requireAccess(doc.channels); channel(doc.channels); }")
        try gateway.setFieldUser("mara", ["district.hill", "district.shore"])
        let mara = try FieldLaptop()
        _ = try mara.login(gateway, "mara")
        for (name, district) in [("Mill", "hill"), ("Quay", "shore"), ("Pier", "shore")] {
            _ = try mara.run("new", "site", name, "district=\(district)")
        }
        #expect(try mara.run("sync").status == 0)
        #expect(try mara.run("edit", "pier", "notes=never sent").status == 0)
        try gateway.setFieldUser("mara", ["district.hill"])
        let sync = try mara.run("sync", "--json")
        #expect(sync.status == 0)
        #expect(sync.events.last?["keptAside"] as? Int == 1)
        #expect((sync.events.last?["removed"] as? [String: Int]) == ["sites": 2])
        #expect(try mara.run("sites").out.contains("Mill") && mara.ids("sites").count == 1)
        let kept = try #require(try mara.run("quarantine", "--json").events.first)
        #expect((kept["body"] as? [String: Any])?["notes"] as? String == "never sent")
        // Access returns: the record comes back, and the edit with it when it is asked for.
        try gateway.setFieldUser("mara", ["district.hill", "district.shore"])
        #expect(try mara.run("sync").status == 0)
        #expect(try mara.ids("sites").count == 3)
        #expect(try mara.run("quarantine", "restore", "\(kept["number"] ?? 0)").status == 0)
        #expect(try mara.run("sync").status == 0)
        #expect(try mara.waiting() == 0)
        #expect(try mara.run("show", "pier").out.contains("never sent"))
    }

    @Test(.timeLimit(.minutes(3))) func aRefusedRecordStaysInTheOutboxUntilItIsTaken() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase(
            sync:
                "function(doc) { if (doc.name == 'Bad') { throw({forbidden: 'no bad sites'}); } channel(doc.channels); }"
        )
        try gateway.setFieldUser("mara", ["district.hill"])
        let mara = try FieldLaptop()
        _ = try mara.login(gateway, "mara")
        _ = try mara.run("new", "site", "Bad", "district=hill")
        _ = try mara.run("new", "site", "Good", "district=hill")
        let sync = try mara.run("sync")
        #expect(sync.status == 1)
        #expect(sync.out.contains("Sent 1 site."))
        let later = try mara.run("sync")
        #expect(later.status == 1 && later.out.contains("1 record"))
        #expect(try mara.waiting() == 1)
        #expect(sync.out.contains("you may not write this record (the gateway says: no bad sites)"))
        #expect(try mara.run("outbox").out.contains("no bad sites"))
        #expect(try mara.run("edit", "bad", "name=Better").status == 0)
        #expect(try mara.run("sync").out == "Sent 1 site.\n")
        #expect(try mara.run("outbox").out == "The gateway has refused nothing.\n")
    }

    @Test(.timeLimit(.minutes(3))) func aContinuousSyncIsKilledAndGoesOn() throws {
        let gateway = try gateway(["mara": ["district.hill"]])
        let mara = try FieldLaptop()
        _ = try mara.login(gateway, "mara")
        for round in 1...3 {
            let sync = try mara.start("sync", "--continuous")
            #expect(try mara.run("new", "site", "Site \(round)", "district=hill").status == 0)
            if round < 3 {
                sync.signal(SIGKILL)
                _ = sync.finish(limit: 10)
                continue
            }
            #expect(eventually(within: 30) { (try? mara.waiting()) == 0 })
            sync.signal(SIGTERM)
            #expect(sync.finish(limit: 15).status == 0)
        }
        let answer = try gateway.admin("GET", "/db.field.sites/_all_docs")
        #expect(answer.object["total_rows"] as? Int == 3)
    }

    // MARK: Bad input: one clear message with what to do, a status that is not 0, and nothing lost

    @Test(.timeLimit(.minutes(3))) func wrongSignInsAreReported() throws {
        let gateway = try gateway(["mara": ["district.hill"]])
        let mara = try FieldLaptop()
        let wrong = try mara.login(gateway, "mara", password: "wrong")
        #expect(wrong.status == 1 && wrong.err.contains("does not accept your name and password"))
        #expect(try mara.run("status").out.contains("nobody has signed in"))
        let nowhere = try mara.run(
            "login", "ws://127.0.0.1:\(gateway.publicPort)/nowhere", "mara", "--password-file", mara.path("password"))
        #expect(nowhere.status == 1 && nowhere.err.contains("no such database"))
        #expect(try gateway.admin("PUT", "/bare/", "{}").status == 201)
        #expect(try gateway.admin("PUT", "/bare/_user/mara", #"{"password":"secret"}"#).status == 201)
        let bare = try mara.run(
            "login", "ws://127.0.0.1:\(gateway.publicPort)/bare", "mara", "--password-file",
            try mara.file("password", "secret\n"))
        #expect(bare.status == 1 && bare.err.contains("has no field database of that name"))
        _ = try mara.run("new", "site", "Mill", "district=hill")
        #expect(try mara.login(gateway, "mara").status == 0)
        gateway.kill(SIGTERM)
        let down = try mara.run("sync")
        #expect(down.status == 1 && down.err.contains("cannot be reached") && down.err.contains("safe here"))
        #expect(down.err.components(separatedBy: "cannot be reached").count == 2, "\(down.err)")
        let dead = try mara.login(gateway, "mara")
        #expect(dead.status == 1 && dead.err.contains("login --offline"))
        #expect(try mara.ids("sites").count == 1)
    }

    @Test func aWrongPassphraseIsReported() throws {
        let mara = try FieldLaptop(usesPassphrase: true)
        _ = try mara.run("new", "site", "Mill", "district=hill")
        let wrong = ["--folder", mara.folder, "--passphrase-file", try mara.file("wrong", "not the one\n")]
        for command in [["quarantine"], ["export", mara.path("export")], ["undo"], []] {
            let output = try Program.fieldbook.run(command + wrong)
            #expect(output.status == 1 && output.err.lowercased().contains("passphrase"), "\(command)")
            #expect(!output.err.contains("not the one"))
            let none = try Program.fieldbook.run(command + ["--folder", mara.folder])
            // The shell takes the passphrase from its first line, which is not there.
            let reason = command.isEmpty ? "stays closed" : "--passphrase-file"
            #expect(none.status == 1 && none.err.contains(reason), "\(command): \(none.err)")
        }
        #expect(!FileManager.default.fileExists(atPath: mara.path("export")))
        #expect(try mara.ids("sites").count == 1)
    }

    /// The text of the records is not sealed. A photo is, whatever passphrase was given to the commands before.
    @Test func whatIsNotSealedNeedsNoPassphrase() throws {
        let mara = try FieldLaptop(usesPassphrase: true)
        func run(_ command: String...) throws -> Program.Output {
            try Program.fieldbook.run(command + ["--folder", mara.folder])
        }
        #expect(try run("new", "site", "Mill", "district=hill").status == 0)
        #expect(try run("new", "inspection", "mill", "score=90").status == 0)
        let inspection = try #require(try mara.ids("inspections").first)
        let photo = try mara.file("door.jpg", "a photo")
        let refused = try Program.fieldbook.run([
            "attach", inspection, photo, "--folder", mara.folder, "--passphrase-file",
            try mara.file("wrong", "wrong\n"),
        ])
        #expect(refused.status == 1 && refused.err.lowercased().contains("passphrase"), "\(refused.err)")
        #expect(try mara.run("attach", inspection, photo).status == 0)
        for command in [
            ["sites", "mill"], ["find", "door"], ["status"], ["photo", "list", inspection], ["log", inspection],
        ] {
            let output = try Program.fieldbook.run(command + ["--folder", mara.folder])
            #expect(output.status == 0 && !output.out.isEmpty, "\(command): \(output.err)")
        }
        #expect(try run("edit", inspection, "score=80").status == 0)
        #expect(try run("delete", inspection, "--yes").status == 0)
        #expect(try mara.run("undo", "--yes").status == 0)
        let copy = mara.path("copy.jpg")
        let saved = try mara.run("photo", "save", inspection, "door.jpg", copy)
        #expect(try saved.status == 0 && String(contentsOfFile: copy, encoding: .utf8) == "a photo", "\(saved.err)")
    }

    /// Only photos that were never sent are lost with a passphrase.
    @Test(.timeLimit(.minutes(3))) func aForgottenPassphraseLosesNoRecord() throws {
        let gateway = try gateway(["mara": ["district.hill"]])
        let mara = try FieldLaptop(usesPassphrase: true)
        #expect(try mara.login(gateway, "mara").status == 0)
        let (sent, unsent) = (try mara.file("sent.jpg", "a photo"), try mara.file("unsent.jpg", "another photo"))
        _ = try mara.run("new", "site", "Mill", "district=hill")
        _ = try mara.run("new", "inspection", "mill", "score=90")
        let inspection = try #require(try mara.ids("inspections").first)
        _ = try mara.run("attach", inspection, sent)
        #expect(try mara.run("sync").status == 0)
        _ = try mara.run("new", "inspection", "mill", "score=80")
        let other = try #require(try mara.ids("inspections").first { $0 != inspection })
        _ = try mara.run("attach", other, unsent)
        let asked = try mara.run("passphrase", "--forgotten", "--key-file")
        #expect(asked.status == 2 && asked.err.contains("add --yes"), "\(asked.err)")
        let given = try mara.run("passphrase", "--forgotten", "--key-file", "--yes")
        #expect(given.status == 0 && given.out.contains("unsent.jpg") && !given.out.contains(" sent.jpg"), "\(given)")
        #expect(try mara.run("passphrase", "--forgotten", "--key-file", "--yes").status == 2)
        let signedOut = try mara.run("sync")
        #expect(signedOut.status == 1 && (signedOut.out + signedOut.err).contains("login"), "\(signedOut)")
        #expect(try mara.login(gateway, "mara").status == 0)
        let sync = try mara.run("sync")
        #expect(try sync.status == 0 && mara.waiting() == 0, "\(sync.out) \(sync.err)")
        #expect(try mara.run("photo", "list", inspection).out.contains("sent.jpg"))
        let copy = mara.path("copy.jpg")
        let saved = try mara.run("photo", "save", inspection, "sent.jpg", copy)
        #expect(try saved.status == 0 && String(contentsOfFile: copy, encoding: .utf8) == "a photo", "\(saved.err)")
        // The key file that opens the folder now may be lost, too.
        try FileManager.default.removeItem(atPath: mara.folder + "/attachments/vault.key")
        let lost = try mara.run("list")
        #expect(lost.status == 1 && lost.err.contains("passphrase --forgotten --key-file"), "\(lost)")
        #expect(try mara.run("passphrase", "--forgotten", "--key-file", "--yes").status == 0)
        #expect(try mara.run("list").out.contains("Mill"))
    }

    @Test func badFilesAndRecordsAreReported() throws {
        let mara = try FieldLaptop()
        let csv = try mara.run("import", try mara.file("businesses.csv", "business_id,name\n1,Mill\n"))
        #expect(csv.status == 1 && csv.err.contains("has no column address"))
        let record = try mara.run("new", "site", "Mill", "district=hill", "colour=red")
        #expect(record.status == 1 && record.err.contains("colour is no field of this site"))
        let usage = try mara.run("lsit")
        #expect(usage.status == 2 && usage.err.contains("Did you mean list?"))
        #expect(try mara.ids("sites").isEmpty)
    }

    /// A sync function that throws or never ends refuses the document; the gateway and the laptop go on.
    @Test(
        .timeLimit(.minutes(3)),
        arguments: [
            "function(doc) { throw new Error('boom'); }", "function(doc) { while (true) {} }",
        ])
    func aBrokenSyncFunctionLosesNothing(function: String) throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase(sync: function)
        try gateway.setFieldUser("mara", ["district.hill"])
        let mara = try FieldLaptop()
        _ = try mara.login(gateway, "mara")
        _ = try mara.run("new", "site", "Mill", "district=hill")
        let sync = try mara.run("sync", limit: 120)
        #expect(sync.out.contains("The gateway refused 1 record"), "\(sync.out) \(sync.err)")
        #expect(sync.status == 1)
        #expect(try mara.ids("sites").count == 1)
        #expect(try mara.run("outbox", "--json").events.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func aSyncFunctionThatDoesNotParseIsRefused() throws {
        let gateway = try Gateway()
        #expect(throws: Gateway.Failure.self) { try gateway.makeFieldDatabase(sync: "function(doc) {") }
    }
}
