import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// What others have deleted, and what that leaves behind.
@Suite struct DeletedElsewhereTests {
    private func shell() async throws -> Shell {
        let shell = try Shell()
        try shell.signIn("mara")
        try shell.acknowledge(.site, "site-mill")
        return shell
    }

    @Test func aSyncNamesWhatOthersDeleted() {
        var report = SyncReport()
        report.counts.pulledDeletions = [.site: 1]
        report.records.deleted = [
            SyncReport.NamedRecord(reference: RecordReference(.site, id: "site-mill"), line: "site mill, Old mill")
        ]
        #expect(
            SyncText.lines(report) == [
                "Deleted by others: 1 site.", "  site mill, Old mill",
                "See what it was: show mill. Bring it back: undo mill",
            ])
        report.records.deleted = (1...7).map {
            SyncReport.NamedRecord(reference: RecordReference(.site, id: "site-a\($0)"), line: "site a\($0)")
        }
        #expect(SyncText.lines(report).contains("  and 2 more: list --deleted"))
        report.records.deleted = [
            SyncReport.NamedRecord(reference: RecordReference(.assignment, id: "assignment-4"), line: "assignment 4")
        ]
        let way = "See what it was: show assignment-4. A supervisor can bring it back: undo assignment-4"
        #expect(SyncText.lines(report).last == way)
    }

    /// A sync service deletes it without a word on the screen of the shell.
    @Test func thePromptNamesWhatOthersDeletedMeanwhile() async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        let dialogue = ScriptedDialogue(lines: [])
        shell.use(dialogue)
        _ = Prompt(session: shell.session).text()
        // As a sync does it a moment before.
        try shell.field.deletions.keep(.inspection, ids: [id])
        _ = Prompt(session: shell.session).text()
        #expect(!dialogue.transcript.contains("Deleted by others"))
        try shell.deleteElsewhere(.inspection, id)
        try shell.acknowledge(.site, "site-quay")
        try shell.deleteElsewhere(.site, "site-quay")
        for _ in 1...2 { _ = Prompt(session: shell.session).text() }
        let short = RecordReference.short(id, kind: .inspection)
        let note = "Deleted by others: 1 inspection.\n  inspection \(short), Old mill, 2026-03-04 routine\n"
        #expect(dialogue.transcript.components(separatedBy: note).count == 2, "\(dialogue.transcript)")
        #expect(dialogue.transcript.contains("Bring it back: undo \(short)"), "\(dialogue.transcript)")
    }

    /// Who did not sync by hand has read of it nowhere.
    @Test(arguments: ["list --deleted", "show 1"]) func theDaysWorkListsItUntilItWasSeen(seeing: String) async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let finding = "new finding \(RecordReference.short(id, kind: .inspection)) text=rust --yes"
        _ = try await shell.type(finding)
        try shell.acknowledge(.inspection, id)
        for finding in try shell.field.findings.all().records {
            try shell.acknowledge(.finding, finding.id)
            try shell.deleteElsewhere(.finding, finding.id)
        }
        try shell.deleteElsewhere(.inspection, id)
        // It is not mara's.
        try shell.acknowledge(.site, "site-quay")
        try shell.deleteElsewhere(.site, "site-quay")
        #expect(try TodaysLine(session: shell.session).text()?.contains("1 deleted by others") == true)
        let before = try await shell.type("today", seeing, width: 200)
        let short = RecordReference.short(id, kind: .inspection)
        #expect(before.contains("Yours, deleted by others\n"), "\(before)")
        #expect(before.contains("1  \(short)  inspection Old mill, 2026-03-04 routine  "), "\(before)")
        #expect(before.contains("Bring it back: undo NUMBER"), "\(before)")
        let after = try await shell.type("today")
        #expect(!after.contains("deleted by others"), "\(after)")
        #expect(try await shell.type("undo \(short)").contains("is back"))
    }

    /// The gateway would refuse it, and would report the deletion to everybody once more.
    @Test(arguments: [("mara", true), ("olga", false)]) func whoIsNoSupervisorIsAskedBeforeAnAssignmentComesBack(
        user: String, isAsked: Bool
    ) async throws {
        let shell = try await shell()
        let author = Author(name: "sofia", moment: Timestamp(secondsSince1970: 0))
        let due = CalendarDay(daysSince1970: 20_000)
        let assignment = Assignment(
            id: "assignment-4", inspector: "mara", site: "site-mill", due: due, district: District("hill") ?? .unknown)
        try shell.field.assignments.add(assignment, by: author)
        try shell.acknowledge(.assignment, "assignment-4")
        try shell.deleteElsewhere(.assignment, "assignment-4")
        _ = try await shell.type("new inspection mill --yes")
        try shell.signIn(user)
        let transcript = try await shell.type("list --deleted", "undo assignment-4", "n", width: 200)
        #expect(transcript.contains("Only supervisors bring assignments back.") == isAsked, "\(transcript)")
        #expect(try (shell.field.assignments.find("assignment-4") == nil) == isAsked, "\(transcript)")
    }

    @Test func aDeletedSiteIsSeenAndBroughtBack() async throws {
        let shell = try await shell()
        _ = try await shell.type("sites")
        try shell.deleteElsewhere(.site, "site-mill")
        let gone = try await shell.type("edit 1 notes=x", "show mill", "list --deleted", "list findings --deleted")
        #expect(
            gone.contains(
                "Number 1 of the last list, the site mill, Old mill, was deleted by others. See it: show 1. "
                    + "Bring it back: undo 1"), "\(gone)")
        #expect(gone.contains("Old mill, deleted by others\n"))
        #expect(gone.contains("Bring it back: undo mill"))
        #expect(
            gone.contains("Deleted sites\n#  ID    SITE      DELETED    SINCE\n1  mill  Old mill  by others  "),
            "\(gone)")
        #expect(gone.contains("Nothing that was deleted is kept here."))
        let back = try await shell.type("undo mill", "show 1", "list --deleted", "undo mill", "undo")
        #expect(back.contains("The site mill, Old mill, is back. The next sync sends it."), "\(back)")
        #expect(back.contains("undone"), "\(back)")
        #expect(back.contains("cannot be undone, and neither can the changes before it"), "\(back)")
        let body = try #require(try shell.field.collection(of: .site).document(id: "site-mill")?.body)
        #expect(body["createdBy"] == "mara" && body["changedBy"] == "mara" && body["name"] == "Old mill")
    }

    /// What only a supervisor may say of an inspection does not come back with it.
    @Test(arguments: [("approved", "submitted"), ("returned", "draft"), ("submitted", "submitted")])
    func anInspectionComesBackWithoutItsReview(before: String, after: String) async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let collection = shell.field.collection(of: .inspection)
        let document = try #require(try collection.document(id: id)?.toMutable())
        document.setString(before, forKey: "status")
        try collection.save(document: document)
        try shell.acknowledge(.inspection, id)
        try shell.deleteElsewhere(.inspection, id)
        let transcript = try await shell.type("undo \(RecordReference.short(id, kind: .inspection))")
        #expect(try shell.field.inspections.find(id)?.status.rawValue == after)
        #expect(transcript.contains(before == after ? "is back. The" : "is back, as "), "\(transcript)")
    }

    @Test func anInspectionWhoseSiteIsGoneSaysSo() async throws {
        let shell = try await shell()
        let made = try await shell.type("new inspection mill --finding Dust --yes")
        #expect(!made.contains("deleted"))
        let id = try #require(try shell.field.inspections.all().records.first).id
        let short = RecordReference.short(id, kind: .inspection)
        // The prompt says it once, as soon as it is so.
        let dialogue = ScriptedDialogue(lines: ["list", "list"])
        shell.use(dialogue)
        _ = Prompt(session: shell.session).text()
        try shell.deleteElsewhere(.site, "site-mill")
        _ = Prompt(session: shell.session).text()
        _ = Prompt(session: shell.session).text()
        let note = "The site of 1 inspection of yours is not here any more; what to do: today"
        #expect(dialogue.transcript.components(separatedBy: note).count == 2, "\(dialogue.transcript)")

        let advice = "Bring the site back: undo mill. Choose another: edit \(short) site=SITE"
        let fact = "Its site, Old mill, was deleted by others."
        let seen = try await shell.type(
            "today", "show \(short)", "list", "submit \(short)", "show \(short)", width: 200)
        #expect(seen.contains("Inspection \(short) of 2026-03-04: \(fact) \(advice)"), "\(seen)")
        #expect(seen.contains("Old mill (deleted), 2026-03-04\n"), "\(seen)")
        #expect(seen.contains("  \(fact)\n    \(advice)\n"), "\(seen)")
        #expect(
            seen.contains("Submitted \(short), ") && seen.contains(". \(fact) Bring the site back: undo mill\n"),
            "\(seen)")
    }

    @Test func theGreetingCountsThem() async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --yes")
        try shell.deleteElsewhere(.site, "site-mill")
        #expect(
            try TodaysLine(session: shell.session).text() == "Today: 1 draft, 1 without its site. See it with: today")
    }

    @Test func anotherSiteIsChosen() async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let short = RecordReference.short(
            try #require(try shell.field.inspections.all().records.first).id, kind: .inspection)
        try shell.deleteElsewhere(.site, "site-mill")
        let transcript = try await shell.type(
            "edit \(short) site=quay score=70", "edit \(short) site=nowhere", "today", "submit \(short)")
        try shell.acknowledge(.inspection, try #require(try shell.field.inspections.all().records.first).id)
        let closed = try await shell.type("edit \(short) site=quay")
        #expect(
            transcript.contains("The inspection \(short) is of Quay café now, with 1 finding.\nSaved the inspection"))
        #expect(transcript.contains("No site has the id 'nowhere'."), "\(transcript)")
        #expect(!transcript.contains("was deleted by others"))
        #expect(closed.contains("is submitted, so it can no longer be changed."))
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let finding = try #require(try shell.field.findings.all().records.first)
        let site = try #require(try shell.field.sites.find("site-quay"))
        #expect(inspection.site == "site-quay" && inspection.score == 70 && inspection.district == site.district)
        #expect(finding.site == "site-quay" && finding.district == site.district)
    }

    /// The office withdraws a form for new inspections; those that were begun with it go on.
    @Test(arguments: [true, false]) func aWithdrawnFormIsStillAnswered(isOwn: Bool) async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill form=kitchen pests=yes --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let short = RecordReference.short(inspection.id, kind: .inspection)
        if isOwn {
            _ = try await shell.type("delete form-kitchen --yes")
        } else {
            try shell.acknowledge(.form, "form-kitchen")
            try shell.deleteElsewhere(.form, "form-kitchen")
        }
        let transcript = try await shell.type(
            "edit \(short) fridge=3", "submit \(short)", "show \(short)", "edit \(short) which=mice", "submit \(short)",
            "new inspection quay form=kitchen --yes", width: 200)
        #expect(transcript.contains("Still to answer: Which"), "\(transcript)")
        #expect(transcript.contains("  Form        Kitchen\n") && transcript.contains("Fridge °C"), "\(transcript)")
        #expect(transcript.contains("Submitted \(short), "), "\(transcript)")
        let submitted = try #require(try shell.field.inspections.find(inspection.id))
        #expect(submitted.answers["fridge"] == 3 && submitted.answers["which"] == "mice")
        #expect(shell.field.inspections.count == 1, "It is offered no more. \(transcript)")
    }

    /// Another form's questions were not assigned, also if it is the only form.
    @Test(arguments: [true, false]) func aWithdrawnFormThatIsAssignedIsAsked(isKept: Bool) async throws {
        let shell = try await shell()
        try shell.field.forms.add(
            FormDefinition(id: "form-well", name: "Well", fields: []),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
        var assignment = Assignment(
            id: "assignment-a", inspector: "mara", site: "site-mill", due: shell.session.environment.today(),
            district: District("hill") ?? .unknown)
        assignment.form = isKept ? "form-kitchen" : "form-x"
        try shell.field.collection(of: .assignment).save(bodies: [(assignment.id, assignment.object.bytes)])
        try shell.acknowledge(.form, "form-kitchen")
        try shell.deleteElsewhere(.form, "form-kitchen")
        let transcript = try await shell.type("start assignment-a --yes")
        let said = isKept ? "The office has withdrawn the form Kitchen. " : "The form x is not there on this laptop: "
        #expect(transcript.contains(said), "\(transcript)")
        #expect(try shell.field.inspections.all().records.map(\.form) == [assignment.form])
    }

    @Test func aWithdrawnFormIsTheOfficesToBringBack() async throws {
        let shell = try await shell()
        try shell.acknowledge(.form, "form-kitchen")
        try shell.deleteElsewhere(.form, "form-kitchen")
        let shown = try await shell.type("show kitchen")
        #expect(shown.contains("Only the office brings a form back: undo kitchen"), "\(shown)")
        let transcript = try await shell.type("undo form-kitchen", "n")
        #expect(transcript.contains("Only the office brings forms back."), "\(transcript)")
        #expect(transcript.contains("Ask the office: undo kitchen"), "\(transcript)")
        #expect(try shell.field.forms.find("form-kitchen") == nil)
        var report = SyncReport()
        report.counts.pulledDeletions = [.form: 1]
        report.records.deleted = [
            SyncReport.NamedRecord(reference: RecordReference(.form, id: "form-kitchen"), line: "form kitchen, Kitchen")
        ]
        #expect(
            SyncText.lines(report).last
                == "See what it was: show kitchen. The office can bring it back: undo kitchen")
    }

    @Test func oldDeletionsGo() throws {
        let shell = try Shell()
        let sites = shell.field.collection(of: .site)
        for number in 1...310 {
            let id = "site-s\(number)"
            let document = MutableDocument(id: id, body: ["type": "site", "name": .string("S\(number)")])
            try sites.save(document: document)
        }
        try shell.field.deletions.keep(.site, ids: (1...305).map { "site-s\($0)" })
        try shell.field.deletions.keep(.site, ids: (306...310).map { "site-s\($0)" })
        for number in 1...310 {
            try sites.delete(document: try #require(try sites.document(id: "site-s\(number)")))
        }
        let kept = try shell.field.deletions.elsewhere()
        #expect(kept.count == 300 && kept.first?.id == "site-s310" && kept.last?.id == "site-s11")
    }

    /// Hundreds of own deletions do not push those of others out.
    @Test func onesOwnStaysLongest() throws {
        let shell = try Shell()
        let sites = shell.field.collection(of: .site)
        for number in 0...310 {
            let body: JSONObject = ["type": "site", "name": "S", "createdBy": number == 0 ? "mara" : "eve"]
            try sites.save(document: MutableDocument(id: "site-s\(number)", body: body))
        }
        try shell.field.deletions.keep(.site, ids: ["site-s0"], for: "mara")
        try shell.field.deletions.keep(.site, ids: (1...310).map { "site-s\($0)" }, for: "mara")
        for number in 0...310 {
            try sites.delete(document: try #require(try sites.document(id: "site-s\(number)")))
        }
        let kept = try shell.field.deletions.elsewhere().map(\.id)
        #expect(kept.count == 301 && kept.first == "site-s310" && kept.last == "site-s0")
    }

    /// Who deletes more of one's own records than are kept of others' takes nothing for good.
    @Test func allOfOnesOwnStay() throws {
        let shell = try Shell()
        let sites = shell.field.collection(of: .site)
        let ids = (1...320).map { "site-s\($0)" }
        let body: JSONObject = ["type": "site", "name": "S", "createdBy": "mara"]
        for id in ids { try sites.save(document: MutableDocument(id: id, body: body)) }
        for part in [ids.prefix(200), ids.dropFirst(200)] {
            try shell.field.deletions.keep(.site, ids: Array(part), for: "mara")
        }
        #expect(try shell.field.deletions.pages.collection.documentIDs().count == 320)
    }

    /// A gateway that has lost a record announces its deletion by any user who claims to be its creator.
    @Test(arguments: [("eve", "mara", true), ("mara", "mara", false), (nil, "mara", false), ("eve", "otto", false)])
    func aDeletionInTheNameOfAnotherCreatorTakesNothing(
        named: String?, user: String, isBack: Bool
    ) async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill score=70 --finding Dust --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.acknowledge(.inspection, inspection.id)
        try shell.acknowledge(.finding, finding.id)
        let tombstone = named.map { #"{"createdBy":"\#($0)"}"# } ?? "{}"
        try shell.deleteElsewhere(.finding, finding.id, leaving: tombstone)
        try shell.deleteElsewhere(.inspection, inspection.id, leaving: tombstone)
        let author = Author(name: user, moment: Timestamp(secondsSince1970: 0))
        #expect(try shell.field.deletions.bringBackClaimed(by: author) == (isBack ? 2 : 0))
        #expect(try shell.field.inspections.find(inspection.id)?.score == (isBack ? 70 : nil))
        #expect(try (shell.field.findings.find(finding.id) != nil) == isBack)
        #expect(try shell.field.deletions.elsewhere().count == (isBack ? 0 : 2))
        #expect(try shell.field.deletions.bringBackClaimed(by: author) == 0)
        guard isBack else { return }
        let noted = try await shell.type("undo", width: 200)
        #expect(noted.contains("undo of a deletion by others, cannot be undone"), "\(noted)")
    }

    /// Where it hangs on what its creator has deleted, it is listed.
    @Test func aFindingOfADeletedInspectionStaysInTheList() async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.acknowledge(.inspection, inspection.id)
        try shell.acknowledge(.finding, finding.id)
        try shell.deleteElsewhere(.inspection, inspection.id)
        try shell.deleteElsewhere(.finding, finding.id, leaving: #"{"createdBy":"eve"}"#)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 0))
        #expect(try shell.field.deletions.bringBackClaimed(by: author) == 0)
        #expect(try shell.field.deletions.elsewhere().count == 2)
    }

    /// What a restored gateway has lost is known by the deletion itself.
    @Test func aDeletionSaysWhoseTheRecordWas() async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        _ = try await shell.type("delete \(RecordReference.short(id, kind: .inspection)) --yes")
        let stored = try #require(try shell.field.collection(of: .inspection).bodies(of: [id])[0])
        let deletion = try JSONObject(parsing: stored.body)
        #expect(stored.isDeleted && deletion["createdBy"] == "mara" && deletion["channels"] != nil, "\(deletion)")
    }

    /// It is not deleted, and no other list shows it.
    @Test func aFindingThatIsHiddenWithSomebodyElsesInspectionIsNamed() async throws {
        let shell = try await shell()
        let inspection = Inspection(
            id: "inspection-ee", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
            district: District("hill") ?? .unknown)
        func author(_ name: String) -> Author { Author(name: name, moment: Timestamp(secondsSince1970: 1_772_619_307)) }
        try shell.field.inspections.add(inspection, by: author("eve"))
        for (id, name) in [("finding-aa", "mara"), ("finding-bb", "eve")] {
            try shell.field.findings.add(inspection.newFinding(id, text: "Mice"), by: author(name))
            try shell.acknowledge(.finding, id)
        }
        try shell.acknowledge(.inspection, inspection.id)
        let dialogue = ScriptedDialogue(lines: [])
        shell.use(dialogue)
        _ = Prompt(session: shell.session).text()
        try shell.deleteElsewhere(.inspection, inspection.id)
        for _ in 1...2 { _ = Prompt(session: shell.session).text() }
        let named = dialogue.transcript
        #expect(named.components(separatedBy: "Deleted by others: 1 finding.\n  finding aa, ").count == 2, "\(named)")
        #expect(named.contains(", with its inspection ee\n") && named.contains("Bring it back: undo aa"), "\(named)")

        let seen = try await shell.type("today", "list --deleted", "today", width: 200)
        #expect(seen.components(separatedBy: "Yours, deleted by others\n").count == 2, "\(seen)")
        #expect(seen.contains("with inspection ee") && !seen.contains("bb"), "\(seen)")
        let back = try await shell.type("undo aa", width: 200)
        #expect(back.contains("The inspection ee, ") && back.contains("is back."), "\(back)")
        #expect(try shell.field.findings.all().records.map(\.id) == ["finding-aa", "finding-bb"])
    }

    /// What a gateway has taken away is nowhere left.
    @Test func lostAccessTakesTheKeptVersion() throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        try shell.deleteElsewhere(.site, "site-mill")
        #expect(try shell.field.deletions.elsewhere().count == 1)
        try shell.takeAway(.site, "site-mill")
        try shell.field.history.forgetRemovedRecords()
        #expect(try shell.field.deletions.pages.collection.documentIDs().isEmpty)
    }
}

extension Shell {
    /// What a sync does that brings a deletion.
    func deleteElsewhere(_ kind: RecordKind, _ id: String, leaving tombstone: String = "{}") throws {
        let store = try store()
        let present = try #require(try store.revision(of: id, in: kind.collection)).revision
        try field.deletions.keep(kind, ids: [id])
        let deletion = PulledRevision(
            documentID: id, revision: RevisionID(generation: present.treeRevision!.generation + 1, digest: "ff"),
            history: RevisionHistory([present]), isDeleted: true, body: try DocumentBody(reading: Array(tombstone.utf8))
        )
        _ = try store.insert([deletion], in: kind.collection)
        try #require(try !field.store.isThere(kind, id: id))
    }
}
