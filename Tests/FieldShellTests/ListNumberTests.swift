import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// What a number means: the row of the list that was shown last, and nothing else.
@Suite struct ListNumberTests {
    @Test func theNumbersOfTheOutboxAreTheOutboxs() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-quay", "no bad sites")
        let transcript = try await shell.type("sites", "outbox", "show 1", "sites", "show 1")
        let shown = transcript.components(separatedBy: "fieldbook (1 refused)> show 1\n").dropFirst()
        #expect(shown.first?.hasPrefix("Quay café\n") == true, "\(transcript)")
        #expect(shown.last?.hasPrefix("Old mill\n") == true, "\(transcript)")
    }

    @Test func theNumbersOfTheQuarantineAreTheQuarantines() async throws {
        let shell = try Shell()
        try shell.takeAway(.site, "site-mill")
        let transcript = try await shell.type("sites", "quarantine", "edit 1 notes=x")
        #expect(transcript.contains("Number 1 of the last list, the site mill, is no longer here."))
        #expect(try shell.field.sites.find("site-quay")?.notes == nil)
    }

    @Test(arguments: ["show 2", "edit 2 notes=x", "delete 2", "new inspection 2 --yes", "list --site 2"])
    func aRecordThatASyncTookIsNamed(line: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("sites")
        try shell.field.collection(of: .site).purge(id: "site-quay")
        let transcript = try await shell.type(line)
        #expect(
            transcript.contains("Number 2 of the last list, the site quay, is no longer here. List again: sites"),
            "\(transcript)")
    }

    /// The next line is most likely about the next row.
    @Test func whatIsNewLeavesTheRowsTheirNumbers() async throws {
        let shell = try Shell()
        let stopped = try await shell.type(
            "sites", "new inspection 1", "", "2", "\u{3}", "edit 2 notes=x", "edit 3 score=9")
        #expect(stopped.contains("Go on: edit 3. Throw it away: delete 3."), "\(stopped)")
        #expect(try shell.field.sites.find("site-quay")?.notes == "x")
        #expect(try shell.field.inspections.all().records.map(\.score) == [9])
        let saved = try await shell.type(
            "new inspection 2 --yes", "delete 3 --yes", "undo", "new site Kiosk --yes", "show 1")
        #expect(saved.contains("Next: attach 4 FILE, submit 4"), "\(saved)")
        #expect(saved.contains("> show 1\nOld mill\n"), "\(saved)")
        let beyond = try await shell.type("show 5")
        #expect(beyond.contains("There is no number '5' in the last list; it has 2 rows."), "\(beyond)")
    }

    @Test func aNumberWithoutARowBringsNothingBack() async throws {
        let shell = try Shell()
        _ = try await shell.type("delete quay --yes")
        let transcript = try await shell.type("list --deleted", "undo 99", "undo 1")
        #expect(transcript.contains("There is no number '99' in the last list; it has 1 row."), "\(transcript)")
        #expect(!transcript.contains("is no record"), "\(transcript)")
        #expect(try shell.field.sites.find("site-quay") != nil)
    }

    @Test(arguments: ["outbox", "quarantine", "conflicts", "list assignments", "find nowhere", "list --deleted"])
    func anEmptyListLeavesTheNumbersOnTheScreen(line: String) async throws {
        let shell = try Shell()
        let transcript = try await shell.type("sites", line, "edit 2 notes=x")
        #expect(try shell.field.sites.find("site-quay")?.notes == "x", "\(transcript)")
    }

    @Test func aNumberIsNoBeginningOfAForm() async throws {
        let shell = try Shell()
        let author = Author(name: nil, moment: Timestamp(secondsSince1970: 0))
        try shell.field.forms.add(FormDefinition(id: "form-x", name: "2026 kitchen", fields: []), by: author)
        let transcript = try await shell.type("new inspection mill form=2 --yes")
        #expect(transcript.contains("No list was shown yet that could have a number '2'."), "\(transcript)")
        #expect(shell.field.inspections.count == 0)
    }

    @Test func aCommandOfItsOwnKnowsNoNumbers() async throws {
        let shell = try Shell()
        let runner = CommandRunner(shell.session)
        let error = await #expect(throws: UsageError.self) { try await runner.run(.show(record: "2")) }
        #expect(
            error?.description
                == "No record has the id '2'; the numbers of a list count in the shell only. Name the record by its id."
        )
        shell.session.asksNothing = true
        let request = try #require(try CommandParser.parse(line: "new inspection mill --yes")).command
        guard case .done(let done) = try await runner.run(request) else {
            Issue.record("it makes an inspection")
            return
        }
        let id = RecordReference.short(
            try #require(try shell.field.inspections.all().records.first).id, kind: .inspection)
        #expect(done.text.contains("Next: attach \(id) FILE, submit \(id)"))
    }
}

/// The quarantine, as a worker sees it.
@Suite struct QuarantineShellTests {
    @Test func listsNameSiteKindAndDate() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let finding = try #require(try shell.field.findings.all().records.first).id
        try shell.refuse(.inspection, id, "no")
        try shell.refuse(.finding, finding, "no")
        let outbox = try await shell.type("outbox")
        #expect(outbox.contains(", Old mill, 2026-03-04 routine\n"), "\(outbox)")
        #expect(outbox.contains(", Old mill, 2026-03-04, Dust\n"), "\(outbox)")
        // With the site itself taken away, too.
        try shell.takeAway(.inspection, id)
        try shell.takeAway(.site, "site-mill")
        let quarantine = try await shell.type("quarantine")
        let short = RecordReference.short(id, kind: .inspection)
        #expect(quarantine.contains("1  inspection \(short), Old mill, 2026-03-04 routine\n"), "\(quarantine)")
        #expect(quarantine.contains("2  site mill, Old mill\n"), "\(quarantine)")
    }

    /// As `show` and `outbox` say it: labels, names and the laptop's time.
    @Test func oneIsShownInPlainText() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection quay form=kitchen fridge=4 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.takeAway(.inspection, id, reason: QuarantinedDocument.accessLost)
        let transcript = try await shell.type("quarantine", "quarantine show 1", width: 200)
        let why = "You have no access to it any more; the gateway has taken it from this laptop."
        #expect(transcript.components(separatedBy: why).count == 3, "\(transcript)")
        #expect(
            transcript.contains("  Fridge °C   4\n") && transcript.contains("  Created by  mara\n"), "\(transcript)")
        #expect(transcript.contains(", Quay café, 2026-03-04 routine\n"), "\(transcript)")
        for raw in ["createdBy", "site-quay", "form-kitchen", "2026-03-04T", "UTC"] {
            #expect(!transcript.contains(raw), "\(raw): \(transcript)")
        }
        #expect(transcript.contains("Make it a record again, which the next sync sends: quarantine restore 1"))
    }

    /// Edits that the gateway has are kept apart from later ones.
    @Test func whatWasChangedIsMarked() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=60 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        _ = try await shell.type("edit \(id) score=80 notes=new")
        try shell.takeAway(.inspection, id)
        let shown = try await shell.type("quarantine show 1", width: 200)
        #expect(
            shown.contains("  Changed here, and never sent\n    score 60 → 80\n    notes nothing → new\n"), "\(shown)")
    }

    /// An edit in quarantine cannot be edited.
    @Test func anotherSiteIsChosenWhenItIsRestored() async throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        for (kind, record) in [(RecordKind.inspection, id), (.site, "site-mill")] { try shell.takeAway(kind, record) }
        let short = RecordReference.short(id, kind: .inspection)
        let choice = "edit \(short) site=SITE"
        let kept = try await shell.type("quarantine show 1", width: 200)
        #expect(kept.contains("Choose another when the inspection is restored: \(choice)"), "\(kept)")
        let restored = try await shell.type("quarantine restore 1", "show \(short)", width: 200)
        #expect(restored.contains("Choose another: \(choice)"), "\(restored)")
    }

    /// No user sees a record without their edit and without a notice of that.
    @Test func theDaysWorkCountsIt() async throws {
        let shell = try Shell()
        for site in ["site-mill", "site-quay"] { try shell.takeAway(.site, site) }
        #expect(try TodaysLine(session: shell.session).text() == "Today: 2 in quarantine. See it with: today")
        let today = try await shell.type("today")
        #expect(today.contains("2 edits of yours in quarantine: quarantine\n"), "\(today)")
    }

    /// A deletion has no content: it is named by the deleted record.
    @Test func aDeletionIsNamedByItsRecord() async throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("new inspection quay --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        let short = RecordReference.short(id, kind: .inspection)
        _ = try await shell.type("delete mill --yes", "delete \(short) --yes")
        try shell.takeAway(.site, "site-mill")
        try shell.takeAway(.inspection, id)
        // As a sync does that has taken records.
        try shell.field.history.forgetRemovedRecords()
        let transcript = try await shell.type("quarantine", "quarantine show 2")
        #expect(transcript.contains("1  deleted site mill, Old mill\n"), "\(transcript)")
        let deletion = "2  deleted inspection \(short), Quay café, 2026-03-04 routine\n"
        #expect(transcript.components(separatedBy: deletion).count == 3, "\(transcript)")
    }

    /// The record has not changed since: nothing is to be decided.
    @Test func whatComesBackIsNoConflictWithOneself() async throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("edit mill notes=mine")
        try shell.takeAway(.site, "site-mill")
        _ = try await shell.type("quarantine restore 1")
        let store = try shell.store()
        let revision = try #require(try store.revision(of: "site-mill", in: RecordKind.site.collection))
        #expect(revision.remoteRevision != nil && revision.revision.treeRevision?.generation == 2)
        #expect(try shell.field.sites.find("site-mill")?.notes == "mine")
    }

    /// What the restorer never touched is as others have it, and what she has overwritten herself is no value any more.
    @Test(arguments: [true, false]) func whatOthersChangedMeanwhileIsNoConflictWithWhatWasBefore(isHereAgain: Bool)
        async throws
    {
        let shell = try Shell()
        try shell.signIn("mara")
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("edit mill notes=old phone=5 street=Quay")
        try shell.acknowledge(.site, "site-mill")
        let before = try #require(try shell.field.sites.find("site-mill"))
        let store = try shell.store()
        let base = try #require(try store.revision(of: "site-mill", in: RecordKind.site.collection)).revision
        _ = try await shell.type("edit mill notes=mine")
        try shell.takeAway(.site, "site-mill")
        var theirs = before
        (theirs.phone, theirs.address.street) = ("51", "Pier")
        theirs.envelope.changedBy = "tomas"
        func arrive() throws {
            let pulled = PulledRevision(
                documentID: "site-mill",
                revision: RevisionID(generation: (base.treeRevision?.generation ?? 0) + 1, digest: "ff"),
                history: RevisionHistory([base]), isDeleted: false, body: try DocumentBody(reading: theirs.object.bytes)
            )
            _ = try store.insert([pulled], in: RecordKind.site.collection)
        }
        if isHereAgain { try arrive() }
        let restored = try await shell.type("quarantine restore 1")
        #expect(!restored.contains("which values count"), "\(restored)")
        if !isHereAgain {
            try arrive()
            let conflict = try #require(try store.conflict(of: "site-mill", in: RecordKind.site.collection))
            let bodies = try [conflict.base, conflict.local.body, conflict.remote.body].map { body in
                try JSONObject(parsing: try #require(body))
            }
            let merged = try #require(RecordMerge.merge(.site, base: bodies[0], a: bodies[1], b: bodies[2]))
            #expect(merged["conflicts"] == nil && merged["notes"] == "mine" && merged["phone"] == "51", "\(merged)")
            return
        }
        let site = try #require(try shell.field.sites.find("site-mill"))
        #expect(try shell.field.conflicts.all().isEmpty)
        #expect(site.notes == "mine" && site.phone == "51" && site.address.street == "Pier")
    }

    /// The record is here again, as another user has changed it: the texts of both are there.
    @Test func whatOthersWroteMeanwhileIsKept() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("edit mill notes=mine phone=1")
        try shell.takeAway(.site, "site-mill")
        let ines = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_000), device: "desk")
        try shell.field.sites.add(
            Site(id: "site-mill", name: "Old mill", address: Address(), district: District("hill") ?? .unknown),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
        try shell.field.sites.update("site-mill", by: ines) { $0.notes = "theirs" }
        let restored = try await shell.type("quarantine restore 1")
        #expect(restored.contains("Others have changed it since then; to decide which values count: conflicts"))
        let conflict = try #require(try shell.field.conflicts.all().first)
        #expect(conflict.fields.map(\.path.name) == ["notes"])
        #expect(try shell.field.sites.find("site-mill")?.phone == "1")
        _ = try await shell.type("conflicts take 1 mine")
        #expect(try shell.field.sites.find("site-mill")?.notes == "mine")
    }
}

extension Shell {
    /// What a gateway does that takes a user's access away.
    func takeAway(_ kind: RecordKind, _ id: String, reason: String = "revoked") throws {
        _ = try store().purge([id], in: kind.collection, quarantine: true, reason: reason)
    }
}
