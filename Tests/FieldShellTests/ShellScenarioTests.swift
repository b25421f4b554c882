import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Sessions as they are typed: lines in, the whole conversation out.
@Suite struct ShellScenarioTests {
    @Test func aWorkerInspectsAKitchen() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "sites mill", "new inspection 1", "", "2", "4,5", "y", "y", "2", "", "88", "two doors", "No thermometer",
            "2",
            "", "submit 2", "show 2")
        #expect(
            try shell.withoutIDs(transcript) == """
                fieldbook> sites mill
                #  ID    SITE      ADDRESS  DISTRICT  LAST VISIT
                1  mill  Old mill           hill      never
                fieldbook> new inspection 1
                Old mill, form Kitchen
                Enter skips, < goes back, ? explains, . stops; Ctrl-C keeps what you have.
                Date [2026-03-04]: 
                Visit
                  1 routine
                  2 complaint
                  3 follow-up
                  4 opening
                Number [1]: 2
                Fridge °C, -5 to 12: 4,5
                Basin, y or n: y
                Pests, y or n: y
                Which
                  1 mice
                  2 moths
                Number: 2
                Score, 0 to 100: 
                Notes: 88
                Finding (Enter: no more): two doors
                Risk
                  1 low
                  2 moderate
                  3 high
                Number: No thermometer
                Risk must be one of 1 low, 2 moderate, 3 high, not 'No thermometer'.
                Number: 2
                Finding (Enter: no more): 
                Saved draft ID for Old mill with 1 finding.
                Next: attach 2 FILE, submit 2
                fieldbook> submit 2
                Submitted ID, Old mill, 2026-03-04 complaint.
                fieldbook> show 2
                Old mill, 2026-03-04
                  Visit       complaint
                  Status      submitted
                  Inspector   mara
                  Form        Kitchen
                  Fridge °C   4.5
                  Basin       yes
                  Pests       yes
                  Which       moths
                  Notes       88
                  Submitted   11:15 today
                  District    hill
                  Created by  mara
                  Changed by  mara
                  Changed     11:15 today
                  Id          ID
                  Findings
                    two doors, moderate risk
                fieldbook> 

                """)
    }

    @Test func whatWasTypedIsSavedBeforeTheNextQuestion() async throws {
        let shell = try Shell()
        // The input ends after the second answer, as when the laptop's battery does.
        _ = try await shell.type("new inspection mill", "", "", "4.5")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        #expect(inspection.answers["fridge"] == 4.5)
        #expect(inspection.status == .draft)
    }

    @Test func submittingNamesWhatIsMissing() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("new inspection mill form=kitchen pests=yes --yes", "submit 1")
        #expect(
            try shell.withoutIDs(transcript).contains(
                """
                fieldbook> submit 1
                Not submitted yet. Still to answer: Fridge °C, Which.
                """))
        #expect(try shell.field.inspections.all().records.map(\.status) == [.draft])
    }

    /// Going back changes what is asked for.
    @Test func anAnswerThatIsNotAskedAnyMoreIsNamed() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill form=kitchen fridge=4 pests=yes which=mice --yes", "edit 1 pests=no", "show 1",
            "edit 1 which=moths", "submit 1")
        #expect(transcript.contains("Which (not asked any more)  mice"))
        #expect(transcript.contains("which is not asked after the other answers; its answer can be taken away only"))
        #expect(
            try shell.withoutIDs(transcript).replacing("\n", with: " ").contains(
                "Submitted ID, Old mill, 2026-03-04 routine, without the answers that are not asked any more: Which: mice. "
            ))
        #expect(try shell.field.inspections.all().records.map { $0.answers["which"] } == [nil])
    }

    /// A draft has it again with its question, unless it was taken away.
    @Test(arguments: [true, false]) func anAnswerReturnsWithItsQuestion(isTakenAway: Bool) async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill form=kitchen fridge=4 pests=yes which=mice --yes", "edit 1 pests=no",
            isTakenAway ? "edit 1 which=" : "", "edit 1 pests=yes")
        #expect(try shell.field.inspections.all().records.map { $0.answers["which"] } == [isTakenAway ? nil : "mice"])
    }

    /// What is submitted here only can still be changed.
    @Test func whatIsClosedAfterSubmittingIsSubmittedAgain() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill form=kitchen fridge=4 pests=yes which=mice --yes", "submit 1", "edit 1 pests=no --yes")
        #expect(try shell.field.inspections.all().records.map(\.status) == [.draft])
    }

    @Test func aWrongValueSavesNothing() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("new inspection mill form=kitchen fridge=warm score=120")
        #expect(
            try shell.withoutIDs(transcript).contains(
                """
                The inspection ID was not saved:
                  fridge must be a number, not 'warm'
                  score must be 0 to 100, but is 120
                """))
        #expect(shell.field.inspections.count == 0)
    }

    @Test func editingByNumbers() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "sites", "edit 2", "7", "123", "", "edit quay phone=456 notes=\"side door\"", "edit quay district='a b'")
        let site = try #require(try shell.field.sites.find("site-quay"))
        #expect(site.phone == "456" && site.notes == "side door")
        #expect(transcript.contains("Change number (Enter: done, ?: list): 7\nTelephone: 123\n"))
        #expect(transcript.contains("district may have letters, digits, '-' and '_' only"))
    }

    /// The same signs as at other questions.
    @Test func editingByNumbersKnowsTheSigns() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "sites", "edit 2", ":all", ":go phone", "123", "Notes", ":go name", ":all", "Pier café", "-", "<")
        let site = try #require(try shell.field.sites.find("site-quay"))
        #expect(site.phone == "123" && site.notes == nil && site.name == "Pier café")
        #expect(transcript.components(separatedBy: "1 Name: Quay café").count == 4, "\(transcript)")
        #expect(transcript.contains("done, ?: list): -\nA number from 1 to 8, please.\n"), "\(transcript)")
    }

    /// A history has the words that people have.
    @Test func aVisitIsNamedAsItIsAsked() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill --yes", "edit 1 visit=follow-up", "log 1", "find follow-up")
        #expect(transcript.contains("visit routine → follow-up"), "\(transcript)")
        #expect(!transcript.contains("followUp") && transcript.contains("inspection"))
        #expect(transcript.components(separatedBy: "follow-up\n").count > 1, "\(transcript)")
    }

    /// Neither is what answers it hidden, nor what is to be decided about other records.
    @Test func aFormThatCannotBeReadHidesNothing() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 notes=Dust --yes")
        let forms = shell.field.collection(of: .form)
        var form = try #require(try forms.document(id: "form-kitchen")?.body)
        form["fields"] = [["name": "fridge", "label": "Fridge", "kind": "numbers"]]
        try forms.save(bodies: [("form-kitchen", form.bytes)])
        let transcript = try await shell.type(
            "list", "show 1", "edit 1 notes=Clean", "log 1", "submit 1", "conflicts")
        #expect(transcript.contains("  fridge    4\n"), "\(transcript)")
        #expect(transcript.contains("Dust") && !transcript.contains("was not saved"), "\(transcript)")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        #expect(inspection.notes == "Clean" && inspection.status != .draft, "\(transcript)")
    }

    /// Whose it is goes on with it.
    @Test func whatSomebodyElseHasSubmittedIsTakenBack() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill inspector=mara --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let eve = Author(name: "eve", moment: Timestamp(secondsSince1970: 1_772_619_307))
        _ = try shell.field.lifeCycle.submit(id, by: eve)
        try shell.acknowledge(.inspection, id)
        let transcript = try await shell.type(
            "list", "edit 1 notes=x", "edit 1 status=draft", "edit 1 notes=x", width: 400)
        #expect(transcript.contains("Somebody else has submitted this inspection of yours"), "\(transcript)")
        let short = RecordReference.short(id, kind: .inspection)
        #expect(transcript.contains("See who: log \(short). Take that back: edit \(short)"), "\(transcript)")
        let inspection = try #require(try shell.field.inspections.find(id))
        #expect(inspection.status == .draft && inspection.notes == "x" && inspection.submittedAt == nil)
        #expect(!transcript.contains("A reviewer can return"), "\(transcript)")
        // What one has handed in oneself only a supervisor returns.
        _ = try await shell.type("submit 1")
        try shell.acknowledge(.inspection, id)
        #expect(try await shell.type("edit 1 status=draft").contains("can no longer be changed"))
    }

    /// So it is with findings, and where it was handed in with questions open.
    @Test func whatIsPartOfItIsTakenBackWithIt() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill form=kitchen inspector=mara --finding Dust --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let eve = Author(name: "eve", moment: Timestamp(secondsSince1970: 1_772_619_307))
        try shell.field.inspections.update(id, by: eve) { $0.status = .submitted }
        try shell.acknowledge(.inspection, id)
        let transcript = try await shell.type("show \(id)", "list findings", "edit 1 text=Soot", width: 200)
        #expect(transcript.contains("Still to answer  Fridge °C"), "\(transcript)")
        let stays = try #require(
            try SubmittedWork(session: shell.session).staysSubmitted(RecordReference(.inspection, id: id)))
        #expect(stays.hasPrefix("It stays submitted. Still to answer: Fridge °C"), "\(stays)")
        #expect(stays.hasSuffix("Take that back: edit \(RecordReference.short(id, kind: .inspection)) status=draft"))
        #expect(transcript.contains("which somebody else has submitted, so it can no longer be changed."))
        let short = RecordReference.short(id, kind: .inspection)
        #expect(transcript.contains("Take that back: edit \(short) status=draft"), "\(transcript)")
        #expect(!transcript.contains("A reviewer can return"), "\(transcript)")
    }

    /// Whichever was answered first; and the moment of a photo is the camera's.
    @Test func anInspectionIsShownInTheOrderOfItsForm() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: photo)
        _ = try await shell.type(
            "new inspection mill form=kitchen pests=no basin=yes --yes", "edit 1 fridge=4", "attach 1 \(photo.path)")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        try shell.field.inspections.update(inspection.id, by: shell.session.author()) {
            $0.photos[0].takenAt = Timestamp("2026-03-03T09:00:00Z")
        }
        let shown = try await shell.type("show \(inspection.id)", "photo list \(inspection.id)")
        #expect(shown.contains(/Fridge °C +4\n +Basin +yes\n +Pests +no\n/), "\(shown)")
        #expect(shown.components(separatedBy: "door.png, 1 KB, taken 2026-03-03 ").count == 3, "\(shown)")
    }

    /// Where the office has forms, an inspection may be without one all the same.
    @Test func noFormIsChosen() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form= --yes")
        try shell.field.forms.add(
            FormDefinition(id: "form-well", name: "Well", fields: []),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
        let transcript = try await shell.type("new inspection mill", "?", "-", "today", ".")
        #expect(transcript.contains("Enter takes the one in brackets, - takes none, . stops."), "\(transcript)")
        #expect(try shell.field.inspections.all().records.map(\.form) == [nil, nil])
    }

    /// As the questions take it.
    @Test func aLineWithAnswersTakesTheOnlyForm() async throws {
        let shell = try Shell()
        let none = try await shell.type(
            "new inspection mill score=90 --yes", "new inspection mill form= fridge=3 --yes")
        #expect(none.contains("fridge is no field of this inspection"), "\(none)")
        #expect(try shell.field.inspections.all().records.map(\.form) == [nil])
        _ = try await shell.type("new inspection quay fridge=3 --yes")
        let made = try #require(try shell.field.inspections.all().records.first { $0.site == "site-quay" })
        #expect(made.form == "form-kitchen" && made.answers["fridge"] == 3)
        try shell.field.forms.add(
            FormDefinition(id: "form-well", name: "Well", fields: []),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
        let several = try await shell.type("new inspection mill fridge=3 --yes")
        #expect(several.contains("'fridge' is a question of a form, and there are several forms."), "\(several)")
        #expect(several.contains("Name the form: form=kitchen"), "\(several)")
    }

    @Test func aDraftOfSomebodyElseIsNotHandedInByASlip() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill inspector=mara --yes")
        try shell.signIn("tomas")
        let left = try await shell.type("list", "submit 1", "n")
        #expect(left.contains("The inspection is mara's. Submit it all the same? y or n"), "\(left)")
        let unchanged = try await shell.type("list", "edit 1", "n")
        #expect(unchanged.contains("mara's. Change it all the same? y or n"), "\(unchanged)")
        #expect(unchanged.contains("Nothing was changed."), "\(unchanged)")
        #expect(try shell.field.inspections.all().records.map(\.status) == [.draft])
        #expect(try await shell.type("list", "submit 1", "y").contains("Submitted"))
    }

    /// Who goes on with it hands in work of somebody else.
    @Test func aDraftOfSomebodyElseIsNotTakenForOnesOwn() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let author = Author(name: "tomas", moment: Timestamp(secondsSince1970: 1_772_619_307))
        let hill = try #require(District("hill"))
        let day = shell.session.environment.today()
        try shell.field.assignments.add(
            Assignment(id: "assignment-a", inspector: "mara", site: "site-mill", due: day, district: hill), by: author)
        var inspection = Inspection(id: "inspection-t", site: "site-mill", date: day, district: hill)
        (inspection.assignment, inspection.inspector) = ("assignment-a", "tomas")
        try shell.field.inspections.add(inspection, by: author)
        let left = try await shell.type("start a", "n")
        #expect(left.contains("tomas has begun it: draft t. Start one of your own?"), "\(left)")
        #expect(left.contains("Go on with that one: edit t") && shell.field.inspections.count == 1, "\(left)")
        _ = try await shell.type("start a", "y", "", "2", ".")
        let own = try shell.field.inspections.all().records.filter { $0.isWork(of: "mara") }
        #expect(own.map(\.assignment) == ["assignment-a"])
        #expect(try await shell.type("start a", ".").contains("This assignment was begun before"))
    }

    /// Such as a variable of a script that is not set.
    @Test func anEmptyNameIsNobodys() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("delete quay --yes", "delete '' --yes", "edit '' name=x", "show ''")
        #expect(shell.field.sites.count == 1)
        #expect(try shell.field.sites.find("site-mill")?.name == "Old mill")
        #expect(transcript.components(separatedBy: "has the id ''").count == 4, "\(transcript)")
    }

    /// It would be missing where it is looked for by its day.
    @Test func findingsHaveTheDayOfTheirInspection() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill date=2025-03-04 --finding Dust --yes", "edit 1 date=2026-03-04 --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let findings = try shell.field.findings.all().records
        #expect(findings.map(\.date) == [inspection.date] && inspection.date.description == "2026-03-04")
    }

    /// What somebody else's program has sent without a site.
    @Test func aDamagedInspectionIsDeleted() async throws {
        let shell = try Shell()
        try shell.field.collection(of: .inspection).save(
            bodies: [("inspection-k3m9x2pq7a", Array(#"{"type":"inspection","status":"draft"}"#.utf8))])
        let transcript = try await shell.type("delete inspection-k3m9x2pq7a --yes")
        #expect(transcript.contains("Deleted"), "\(transcript)")
        #expect(shell.field.inspections.count == 0)
    }

    @Test func photosAreAttachedAndExported() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 3_000)).write(to: photo)
        let out = shell.root.appendingPathComponent("out").path
        let transcript = try await shell.type(
            "new inspection mill score=90 --yes", "attach 1 \(photo.path) --caption \"Back door\"",
            "attach 1 \(photo.path)",
            "attach 1 /nowhere.jpg", "export \(out)")
        #expect(transcript.contains("Attached door.png, 3 KB"))
        #expect(transcript.contains("Attached door-2.png, 3 KB"))
        #expect(transcript.contains("there is no file /nowhere.jpg"))
        #expect(transcript.contains("2 attachments in attachments/"))
        let copy = out + "/attachments/2026-03-04-Old-mill/door.png"
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(contentsOf: photo))
    }

    /// A colleague reads whom it would be returned to, and the reviewer by what.
    @Test(arguments: ["ines", "olga"]) func aColleaguesWorkIsReturnedToThem(user: String) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --finding Dust --yes", "submit 1")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let finding = try #require(try shell.field.findings.all().records.first).id
        try shell.acknowledge(.inspection, id)
        try shell.acknowledge(.finding, finding)
        try shell.signIn(user)
        let short = RecordReference.short(id, kind: .inspection)
        let own = try await shell.type("edit \(short) notes=x --yes", width: 400)
        #expect(own.contains("A reviewer can return it to mara: return \(short) REASON"), "\(own)")
        let part = RecordReference.short(finding, kind: .finding)
        let text = try await shell.type("edit \(part) text=x --yes", width: 400)
        #expect(text.contains("A reviewer can return the inspection to mara: return \(short) REASON"), "\(text)")
    }

    @Test func submittedWorkCanOnlyBeReturned() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        try shell.acknowledge(.inspection, try #require(try shell.field.inspections.all().records.first).id)
        let first = try await shell.type("edit 1 score=91", "delete 1", "y", "approve 1 now")
        try shell.signIn("olga")
        let second = try await shell.type("return 1 which door?")
        try shell.signIn("mara")
        let third = try await shell.type("edit 1 score=91", "submit 1")
        try shell.signIn("olga")
        let text = try await shell.withoutIDs(first + second + third + shell.type("approve 1", "return 1 no"))
        #expect(
            text.contains(
                "The inspection ID is submitted, so it can no longer be changed. "
                    + "A reviewer can return it to you."))
        #expect(text.contains("'approve' takes fewer arguments. Use: approve INSPECTION"))
        #expect(text.contains("Returned ID to mara."))
        #expect(text.contains("Approved ID."))
        #expect(text.contains("It is approved. Take the approval back, and return it? y or n"))
        #expect(try shell.field.inspections.all().records.map(\.score) == [91])
    }

    @Test func nobodyApprovesTheirOwnWork() async throws {
        let shell = try Shell()
        let first = try await shell.type("new inspection mill score=90 --yes", "submit 1", "approve 1")
        #expect(first.contains("Supervisors approve, and nobody has signed in here. Sign in with: login"))
        // Nobody made it yet: the machine's user is none of the gateway's.
        #expect(try shell.field.inspections.all().records.map(\.envelope.createdBy) == [nil])
        try shell.signIn("mara")
        let second = try await shell.type("new inspection mill score=91 --yes", "submit 2", "approve 2")
        #expect(second.contains("This inspection is your own: somebody else has to approve it."))
        #expect(try shell.field.inspections.all().records.map(\.status) == [.submitted, .submitted])
    }

    @Test func deletingAsksFirst() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill --finding Dust --yes", "delete 1", "n", "delete 1", "y", "delete mill", "y")
        #expect(transcript.contains("Nothing was deleted."))
        #expect(transcript.contains("Deleted the inspection of Old mill, 2026-03-04 routine, draft, with 1 finding."))
        #expect(transcript.contains("Deleted the site Old mill."))
        #expect(shell.field.inspections.count == 0 && shell.field.findings.count == 0)
    }

    @Test func severalMatchesAreOffered() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("show quai", "show 9", "new inspection site-", "2", ".")
        #expect(transcript.contains("No record has the id 'quai'."))
        #expect(transcript.contains("There is no list yet that 9 could be a number of."))
        #expect(
            transcript.contains(
                "'site-' fits several:\n  1 mill  Old mill\n  2 quay  Quay café\nWhich (Enter: none): 2\n"))
    }

    @Test func errorsEndNothing() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "frobnicate", "show", "import /nowhere", "sync", "quarantine show 3", "sites")
        #expect(transcript.contains("There is no command 'frobnicate'."))
        #expect(transcript.contains("/nowhere cannot be read: there is no such file or folder."))
        #expect(transcript.contains("Nobody has signed in yet. Sign in with: login"))
        #expect(transcript.contains("There is no number 3 in quarantine."))
        #expect(transcript.contains("Old mill"))
    }

    @Test func jsonIsWrittenOnDemand() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("sites mill --json")
        #expect(transcript.contains(#"{"_id":"site-mill","type":"site","schema":1,"name":"Old mill","#))
    }
}

/// A shell over a folder of its own, with two sites, a form and a clock that stands still.
final class Shell {
    let root: URL
    let session: ShellSession
    let field: FieldDatabase

    /// - Parameter home: what the shell writes for the user goes into the test's own folder.
    init(
        _ variables: [String: String] = [:], home: Bool = false, meter: any ProgressMeter = NoProgressMeter()
    ) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString)")
        let folder = FieldFolder(path: root.appendingPathComponent("records").path)
        let made = try FieldDatabase.create(at: folder, key: .keyFile)
        let day = CalendarDay(daysSince1970: 20_516)
        let environment = ShellEnvironment(
            variables: ["USER": "mara"].merging(variables) { $1 }
                .merging(home ? ["XDG_CONFIG_HOME": root.appendingPathComponent("config").path] : [:]) { $1 },
            now: { Timestamp(secondsSince1970: 1_772_619_307) }, today: { day },
            zone: TimeZone(secondsFromGMT: 3_600) ?? .current)
        try Self.fill(made, day)
        try made.close()
        session = ShellSession(
            folder: folder.url.path, environment: environment, dialogue: Replaceable(), meter: meter)
        field = try session.field()
    }

    deinit {
        try? session.close()
        try? FileManager.default.removeItem(at: root)
    }

    private static func fill(_ field: FieldDatabase, _ day: CalendarDay) throws {
        let author = Author(name: nil, moment: Timestamp(secondsSince1970: 0))
        let hill = District("hill") ?? .unknown
        for (id, name) in [("mill", "Old mill"), ("quay", "Quay café")] {
            try field.sites.add(Site(id: "site-\(id)", name: name, address: Address(), district: hill), by: author)
        }
        try field.forms.add(
            FormDefinition(
                id: "form-kitchen", name: "Kitchen",
                fields: [
                    FormField("fridge", label: "Fridge °C", kind: .number, isRequired: true, minimum: -5, maximum: 12),
                    FormField("basin", label: "Basin", kind: .yesNo),
                    FormField("pests", label: "Pests", kind: .yesNo),
                    FormField(
                        "which", label: "Which", kind: .choice, isRequired: true, choices: ["mice", "moths"],
                        when: FormField.Condition(field: "pests", equals: true)),
                ]), by: author)
    }

    func signIn(_ user: String) throws {
        var settings = FolderSettings()
        settings.user = user
        try settings.save(in: session.folder)
    }

    /// Who is asked from now on.
    func use(_ dialogue: any Dialogue) { (session.dialogue as? Replaceable)?.current = dialogue }

    func type(_ lines: String..., width: Int = 100) async throws -> String {
        let dialogue = ScriptedDialogue(lines: lines)
        use(dialogue)
        _ = await loop(width: width).run()
        return dialogue.transcript
    }

    func loop(width: Int = 100) -> ShellLoop {
        ShellLoop(session) { [session] in
            TextRenderer(width: width, numbersRows: true, clock: session.environment.clock)
        }
    }

    /// Ids are random.
    func withoutIDs(_ text: String) throws -> String {
        try field.inspections.all().records.reduce(text) { text, inspection in
            text.replacing(RecordReference.short(inspection.id, kind: .inspection), with: "ID")
        }
        // And those of records that were not saved.
        .replacing(/inspection [0-9a-z]{10} was/, with: "inspection ID was")
    }
}

/// Passes on to another dialogue.
private final class Replaceable: Dialogue {
    var current: any Dialogue = SilentDialogue { _ in }

    var isInteractive: Bool { current.isInteractive }
    var mayConsent: Bool { current.mayConsent }
    func ask(_ prompt: String) -> Reply { current.ask(prompt) }
    func askSecret(_ prompt: String) -> Reply { current.askSecret(prompt) }
    func edit(_ text: String) throws(EditorError) -> WrittenText { try current.edit(text) }
    func hold(_ text: String) throws(EditorError) -> WrittenText { try current.hold(text) }
    func keep(_ text: WrittenText) throws(EditorError) -> String? { try current.keep(text) }
    func discard(_ text: WrittenText) { current.discard(text) }
    func show(_ text: String) { current.show(text) }
    func showWhole(_ lines: [String]) { current.showWhole(lines) }
    var screenHeight: Int? { current.screenHeight }
    var completer: Completer {
        get { current.completer }
        set { current.completer = newValue }
    }
}
