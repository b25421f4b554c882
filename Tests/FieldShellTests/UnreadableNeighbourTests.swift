import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// Records beside the one that a command is about, as another laptop with a newer program writes them.
@Suite struct UnreadableNeighbourTests {
    private let shell: Shell
    private var field: FieldDatabase { shell.field }

    init() throws { shell = try Self.filled() }

    /// A draft of mara's with a finding, for one of her two assignments, and what tomas has handed in.
    private static func filled() throws -> Shell {
        let shell = try Shell()
        try shell.signIn("mara")
        let hill = try #require(District("hill"))
        let day = shell.session.environment.today()
        let tomas = Author(name: "tomas", moment: Timestamp(secondsSince1970: 1_772_619_307))
        for id in ["assignment-begun", "assignment-given"] {
            var assignment = Assignment(id: id, inspector: "mara", site: "site-mill", due: day, district: hill)
            (assignment.form, assignment.instructions) = ("form-kitchen", "Bring boots")
            try shell.field.assignments.add(assignment, by: tomas)
        }
        for (id, inspector) in [("inspection-drafty", "mara"), ("inspection-handed", "tomas")] {
            var inspection = Inspection(id: id, site: "site-mill", date: day, district: hill)
            (inspection.inspector, inspection.form, inspection.score) = (inspector, "form-kitchen", 75)
            inspection.answers["fridge"] = 4
            if inspector == "mara" {
                inspection.assignment = "assignment-begun"
            } else {
                inspection.status = .submitted
            }
            try shell.field.inspections.add(inspection, by: Author(name: inspector, moment: tomas.moment))
        }
        let draft = try #require(try shell.field.inspections.find("inspection-drafty"))
        try shell.field.findings.add(
            draft.newFinding("finding-dirty", text: "Greasy floor"), by: Author(name: "mara", moment: tomas.moment))
        return shell
    }

    private static func makeUnreadable(_ kind: RecordKind, in field: FieldDatabase) throws {
        let collection = field.collection(of: kind)
        for id in try collection.documentIDs() {
            var body = try #require(try collection.document(id: id)).body
            body["schema"] = 2
            try collection.save(bodies: [(id, body.bytes)])
        }
    }

    /// A line, the kind of record that it is about, and its answer.
    private static let lines: [(String, RecordKind, String)] = [
        ("show inspection-drafty", .inspection, "75"),
        ("show finding-dirty", .finding, "Greasy floor"),
        ("show assignment-begun", .assignment, "Bring boots"),
        ("show site-mill", .site, "Old mill"),
        ("edit inspection-drafty score=80", .inspection, "Saved the inspection drafty."),
        ("edit finding-dirty risk=high", .finding, "Saved the finding"),
        ("edit assignment-given instructions=Ring", .assignment, "Saved the assignment"),
        ("start assignment-given --yes", .assignment, "Saved draft"),
        ("submit inspection-drafty --yes", .inspection, "Submitted drafty, "),
        ("approve inspection-handed --yes", .inspection, "Approved handed."),
        ("return inspection-handed again --yes", .inspection, "Returned handed to tomas."),
        ("delete finding-dirty --yes", .finding, "Deleted the finding"),
        ("delete inspection-drafty --yes", .inspection, "Deleted the inspection"),
    ]

    @Test(arguments: lines) func itKeepsNobodyFromAnything(line: String, own: RecordKind, answer: String) async throws {
        for kind in RecordKind.allCases where kind != own {
            let shell = try Self.filled()
            try Self.makeUnreadable(kind, in: shell.field)
            let transcript = try await shell.type(line)
            #expect(transcript.contains(answer), "\(kind): \(transcript)")
        }
    }

    @Test func anAssignmentThatCannotBeReadStaysAsItIs() async throws {
        try Self.makeUnreadable(.assignment, in: field)
        let transcript = try await shell.type("submit inspection-drafty").replacing("\n", with: " ")
        #expect(transcript.contains("Its assignment begun cannot be read on this laptop, and stays as it is."))
        #expect(try field.inspections.find("inspection-drafty")?.status == .submitted)
        let assignment = try #require(try field.collection(of: .assignment).document(id: "assignment-begun"))
        #expect(assignment.body["status"] == "open")
    }

    /// Nor is another one taken that was not assigned: on a laptop with a newer program its questions are there.
    @Test func aFormThatCannotBeReadIsStillTheOneThatWasAssigned() async throws {
        let mara = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307))
        try Self.makeUnreadable(.form, in: field)
        let door = FormField("door", label: "Door", kind: .yesNo)
        try field.forms.add(FormDefinition(id: "form-other", name: "Other", fields: [door]), by: mara)
        let transcript = try await shell.type("start assignment-given --yes")
        #expect(transcript.contains("The form kitchen cannot be read on this laptop: its questions are not asked."))
        let begun = try #require(try field.work.begunInspections(for: "mara")[assignment: "assignment-given"])
        #expect(begun.form == "form-kitchen")
    }

    /// The assignment says in which district it is.
    @Test func aSiteThatCannotBeReadIsInspected() async throws {
        try Self.makeUnreadable(.site, in: field)
        _ = try await shell.type("start assignment-given --yes")
        let begun = try #require(try field.work.begunInspections(for: "mara")[assignment: "assignment-given"])
        #expect(begun.site == "site-mill" && begun.district == District("hill"))
    }
}
