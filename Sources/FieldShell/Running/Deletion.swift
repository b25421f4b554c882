import DocumentValues
import FieldModels
import FieldRecords

/// A deletion, and what goes with it, for the question before it and the answer after it.
struct Deletion {
    /// `the inspection of Old mill, 2026-03-04, with 2 findings and 1 photo`.
    let words: String
    /// Of an inspection.
    let findings: Int

    init(of reference: RecordReference, in field: FieldDatabase) throws {
        var title = try RecordFinder.title(reference.kind, reference.id, field)
        var findings: [Finding] = []
        var photos = 0
        switch reference.kind {
        case .inspection:
            findings = try field.findings.all().records.filter { $0.inspection?.isExactly(reference.id) == true }
            if let inspection = try Self.readable(field.inspections, reference.id) {
                title = "of \(try Self.site(inspection.site, field)), \(inspection.date)"
                photos = inspection.photos.count + findings.reduce(0) { $0 + $1.photos.count }
            }
        case .finding:
            if let finding = try Self.readable(field.findings, reference.id) {
                title = "'\(finding.text)' at \(try Self.site(finding.site, field)), \(finding.date)"
                photos = finding.photos.count
            }
        case .assignment:
            if let assignment = try Self.readable(field.assignments, reference.id) {
                title = "of \(assignment.inspector) to \(try Self.site(assignment.site, field)), due \(assignment.due)"
            }
        case .site, .form: break
        }
        self.findings = findings.count
        let more = [(findings.count, "finding"), (photos, "photo")].filter { $0.0 > 0 }.map { $0.0.of($0.1) }
        words =
            "the \(reference.kind.rawValue) \(title)"
            + (more.isEmpty ? "" : ", with \(more.joined(separator: " and "))")
    }

    /// What is damaged can be deleted, too.
    private static func readable<Record>(_ records: RecordRepository<Record>, _ id: String) throws -> Record? {
        do { return try records.find(id) } catch is RecordError { return nil }
    }

    private static func site(_ id: String, _ field: FieldDatabase) throws -> String {
        try readable(field.sites, id)?.name ?? RecordReference.short(id, .site)
    }
}
