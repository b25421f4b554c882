import FieldModels
import FieldRecords

/// An inspection that is being asked about. It is saved with its first answer, and again with each further one: whatever
/// happens to the laptop, what was typed is there, and a form that is left at once leaves nothing behind.
final class InspectionDraft {
    private(set) var inspection: Inspection
    private(set) var isSaved = false
    private let field: FieldDatabase
    private let session: ShellSession

    init(_ inspection: Inspection, in field: FieldDatabase, _ session: ShellSession) {
        self.inspection = inspection
        self.field = field
        self.session = session
    }

    func change(_ change: (inout Inspection) throws -> Void) throws {
        guard isSaved else {
            var changed = inspection
            try change(&changed)
            inspection = changed
            return try save()
        }
        inspection = try field.inspections.update(inspection.id, by: session.author(), change)
    }

    /// Once.
    func save() throws {
        guard !isSaved else { return }
        inspection = try field.inspections.add(inspection, by: session.author())
        isSaved = true
    }
}
