import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Inspections go on with a form that the office has withdrawn.
@Suite struct InspectionFormsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws {
        folder = try WorkedFolder()
        let fridge = FormField("fridge", label: "Fridge", kind: .number)
        try folder.field.forms.add(
            FormDefinition(id: "form-kitchen", name: "Kitchen", fields: [fridge]), by: folder.ines)
        try folder.field.inspections.update("inspection-1", by: folder.mara) { $0.form = "form-kitchen" }
    }

    private func form() throws -> FormDefinition? { try field.inspectionForms.form(of: folder.inspection()) }

    @Test func aFormThatIsHereIsAnswered() throws {
        #expect(try form()?.name == "Kitchen")
        try folder.addInspection("inspection-2")
        #expect(try field.inspectionForms.form(of: folder.inspection("inspection-2")) == nil)
        #expect(try field.inspectionForms.formEvenWithdrawn("form-9") == nil)
    }

    @Test func oneThatWasWithdrawnIsAsItWas() throws {
        try field.acknowledge(.form, "form-kitchen")
        try folder.deleteElsewhere(.form, "form-kitchen")
        #expect(try field.forms.find("form-kitchen") == nil)
        #expect(try form()?.fields.map(\.name) == ["fridge"])
    }

    @Test func oneThatWasDeletedHereIsAsItWas() throws {
        field.journal.begin("delete", by: folder.ines)
        try field.forms.delete("form-kitchen")
        #expect(try form()?.fields.map(\.name) == ["fridge"])
    }

    @Test func oneThatCannotBeReadIsNone() throws {
        let body = #"{"type":"form","name":"Kitchen","version":"two"}"#
        try field.collection(of: .form).save(bodies: [("form-kitchen", Array(body.utf8))])
        #expect(try form() == nil)
    }
}
