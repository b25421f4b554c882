import DocumentValues
import FieldModels
import FieldRecords
import FormLogic
import Foundation
import Testing

@testable import FieldForms

/// Forms of schema 1 beside the later ones.
@Suite struct OlderFormTests {
    private func shelf() throws -> FormShelf {
        let shelf = try FormShelf()
        try shelf.field.forms.add(
            FormDefinition(
                id: "form-kitchen", name: "Kitchen", version: 3,
                fields: [
                    FormField(
                        "fridge", label: "Fridge °C", kind: .number, isRequired: true, minimum: -5, maximum: 12.5),
                    FormField("pests", label: "Pests", kind: .yesNo),
                    FormField(
                        "which", label: "Which", kind: .choice, choices: ["mice", "cook's moths"],
                        when: FormField.Condition(field: "pests", equals: true)),
                    FormField(
                        "why", label: "Why", kind: .text, maximum: 80,
                        when: FormField.Condition(field: "which", equals: "cook's moths")),
                    FormField("due", label: "Due", kind: .day), FormField("count", label: "Count", kind: .whole),
                ]), by: shelf.author)
        return shelf
    }

    @Test func theyAreReadAsFormsOfQuestions() throws {
        let shelf = try shelf()
        let loaded = try withExtendedLifetime(shelf) { try shelf.library.load("kitchen") }
        #expect(loaded.reference.description == "form-kitchen@3" && loaded.state == .open)
        let nodes = loaded.form.nodes
        #expect(nodes.map(\.name) == ["fridge", "pests", "which", "why", "due", "count"])
        #expect(nodes.map { $0.kind.typeName } == ["decimal", "select_one", "select_one", "text", "date", "integer"])
        #expect(nodes[0].constraint == ". >= -5 and . <= 12.5" && nodes[0].required == "true()")
        #expect(nodes[2].relevant == "${pests} = 'yes'")
        #expect(nodes[3].relevant == "${which} = \"cook's moths\"")
        #expect(nodes[3].constraint == "string-length(.) <= 80")
        #expect(loaded.form.list("yes_no")?.choices.map(\.name) == ["yes", "no"])
        #expect(FormChecker.findings(of: loaded.form).shown.filter { $0.severity == .error }.map(\.text) == [])
    }

    @Test func anotherVersionIsNotThere() throws {
        let shelf = try shelf()
        #expect(throws: FormLibraryError.self) { try shelf.library.load(form: "form-kitchen", version: "2") }
        #expect(throws: FormLibraryError.self) { try shelf.library.find("kitchen@1") }
    }

    /// Inspections go on to be made with them alone.
    @Test func theLaterOnesDoNotDisturbThem() throws {
        let shelf = try shelf()
        try shelf.publish(FormShelf.yaml())
        let list = try shelf.field.forms.all()
        #expect(list.records.map(\.id) == ["form-kitchen"] && list.unreadable.isEmpty)
        #expect(try shelf.field.forms.findReadable("people") == nil)
        #expect(try shelf.field.formDocuments.all().records.map(\.id) == ["people", "people@1"])
        #expect(try shelf.field.damaged.damage(of: .form, "people@1").isEmpty)
        #expect(try shelf.library.summaries().map(\.reference.description) == ["form-kitchen@3", "people@1"])
    }

    /// Lines of JSON carry them from one folder to another.
    @Test func exportAndImportTakeThemAlong() throws {
        let shelf = try shelf()
        try shelf.publish(FormShelf.yaml())
        let folder = shelf.root.appendingPathComponent("export").path
        let report = try RecordExport(of: shelf.field, to: folder, format: .both).run()
        #expect(report.unreadable.isEmpty)
        let other = try FormShelf()
        let imported = try RecordImport(into: other.field).run([folder])
        #expect(imported.counts.allSatisfy { $0.leftOut == 0 })
        #expect(try other.library.load("people").digest.isExactly(shelf.library.load("people").digest))
        // A version that is there with other questions stays.
        let third = try FormShelf()
        try third.publish(FormShelf.yaml(label: "Years"))
        _ = try RecordImport(into: third.field).run([folder])
        #expect(try third.library.load("people").form.nodes[1].label?.text(in: nil) == "Years")
    }
}
