import DocumentValues
import FieldModels
import FieldRecords

/// Explains an inspection whose site was deleted by another user, or is missing for another reason.
struct MissingSite {
    let site: String
    /// `nil` if the site is unknown.
    let deleted: DeletedRecord?
    let inspection: (id: String, isOpen: Bool)
    /// False for a record in quarantine, which cannot be edited before it is restored.
    let isEditable: Bool

    /// `nil` where the site is here.
    init?(of inspection: Inspection, in field: FieldDatabase) throws {
        guard try !field.store.isThere(.site, id: inspection.site) else { return nil }
        site = inspection.site
        deleted = try field.deletions.all().first { $0.kind == .site && $0.id.isExactly(inspection.site) }
        self.inspection = (RecordReference.short(inspection.id, kind: .inspection), inspection.status.isOpen)
        isEditable = try field.store.isThere(.inspection, id: inspection.id)
    }

    /// The fact.
    var fact: String {
        deleted.map { "Its site, \($0.title), was deleted\($0.isOwn ? " here" : " by others")." }
            ?? "Its site, \(RecordReference.short(site, kind: .site).asTitle), is not on this laptop."
    }

    /// The advice; `nil` for an inspection that is handed in, if the site is unknown.
    var advice: String? {
        let ways = [
            deleted.map { "Bring the site back: undo \($0.reference.shortID)" },
            inspection.isOpen ? choice : nil,
        ].compactMap(\.self)
        return ways.isEmpty ? nil : ways.joined(separator: ". ")
    }

    private var choice: String {
        let edit = "edit \(inspection.id) site=SITE"
        return isEditable ? "Choose another: \(edit)" : "Choose another when the inspection is restored: \(edit)"
    }

    var sentence: String { [fact, advice].compactMap(\.self).joined(separator: " ") }
}
