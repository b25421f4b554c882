import DocumentValues
import FieldModels
import FieldRecords

/// The changes of an inspection's findings and photos since it was approved, in lines.
struct ApprovalText {
    private let changes: ApprovalChanges
    private let field: FieldDatabase

    init(_ changes: ApprovalChanges, field: FieldDatabase) {
        self.changes = changes
        self.field = field
    }

    private var unlistedLines: [String] {
        guard let count = changes.unlisted else { return [] }
        return ["some of its findings: the approval saw too many to list them; \(count) are here now"]
    }

    /// A line for each finding and photo, and what to do.
    var lines: [String] {
        get throws {
            unlistedLines + changes.changed.map { "changed: \($0.line)" } + changes.added.map { "new: \($0.line)" }
                + (try goneLines)
                + changes.photos.map { "new photo: \($0.line)" }
                + [Self.advice(RecordReference.short(changes.inspection.id, kind: .inspection))]
        }
    }

    private var goneLines: [String] {
        get throws {
            guard !changes.removed.isEmpty else { return [] }
            let titles = Dictionary(
                try field.deletions.all().filter { $0.kind == .finding }.map { (Name($0.id), $0.title) },
                uniquingKeysWith: { first, _ in first })
            return changes.removed.map { "gone: \(titles[$0] ?? RecordReference.short($0.text, kind: .finding))" }
        }
    }

    /// - Parameter id: as it is to be typed.
    static func advice(_ id: String) -> String {
        "A supervisor approves the inspection as it is now (approve \(id)), or returns the inspection (return \(id) REASON)."
    }
}
