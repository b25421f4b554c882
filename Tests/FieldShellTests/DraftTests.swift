import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Drafts: typed values, when they are saved, and the next question.
@Suite struct DraftTests {
    @Test func whatWasTypedIsSavedBeforeTheNextQuestion() async throws {
        let shell = try Shell()
        // The input ends after the second answer, as when the laptop's battery does.
        _ = try await shell.type("new inspection mill", "", "", "4.5")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        #expect(inspection.answers["fridge"] == 4.5)
        #expect(inspection.status == .draft)
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

    /// A draft has it again with its question, unless it was taken away.
    @Test(arguments: [true, false]) func anAnswerReturnsWithItsQuestion(isTakenAway: Bool) async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill form=kitchen fridge=4 pests=yes which=mice --yes", "edit 1 pests=no",
            isTakenAway ? "edit 1 which=" : "", "edit 1 pests=yes")
        #expect(try shell.field.inspections.all().records.map { $0.answers["which"] } == [isTakenAway ? nil : "mice"])
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

    /// Neither its answers nor open questions about other records are hidden.
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

    /// A user who goes on with it hands in another user's work.
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

    /// It would be missing where it is looked for by its day.
    @Test func findingsHaveTheDayOfTheirInspection() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill date=2025-03-04 --finding Dust --yes", "edit 1 date=2026-03-04 --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let findings = try shell.field.findings.all().records
        #expect(findings.map(\.date) == [inspection.date] && inspection.date.description == "2026-03-04")
    }
}
