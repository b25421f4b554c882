import DocumentValues
import FieldModels
import FieldRecords

/// A deletion, and what goes with it, for the question before it and the answer after it.
struct Deletion {
    /// `the inspection of Old mill, 2026-03-04, with 2 findings and 1 photo`.
    let summary: String
    /// Of an inspection.
    let findings: Int
    /// Why it cannot be, and the way out.
    private let obstacle: String?

    /// Nobody is asked about what cannot be done.
    func check() throws(UsageError) {
        if let obstacle { throw UsageError(obstacle) }
    }

    /// What is damaged can be deleted, too.
    init(of reference: RecordReference, in field: FieldDatabase) throws {
        var title = try RecordFinder.title(reference.kind, id: reference.id, field: field)
        var findings: [Finding] = []
        var photos = 0
        var obstacle: String?
        switch reference.kind {
        case .inspection:
            findings = try field.findings.all(ofInspection: reference.id).records
            if let inspection = try field.inspections.findReadable(reference.id) {
                let details = [inspection.title, inspection.status.rawValue, inspection.score.map { "score \($0)" }]
                title = (["of \(try Self.site(inspection.site, field: field))"] + details.compactMap(\.self))
                    .joined(separator: ", ")
                obstacle = try field.isHandedIn(inspection) ? Self.obstacle(to: reference, inspection) : nil
                photos = inspection.photos.count + findings.reduce(0) { $0 + $1.photos.count }
            }
        case .finding:
            if let finding = try field.findings.findReadable(reference.id) {
                let site = try Self.site(finding.site, field: field)
                title = "'\(finding.text.printableLine)' at \(site), \(finding.date)"
                photos = finding.photos.count
                do { try field.checkIsOpen(inspectionOf: finding) } catch let error as RecordActionError {
                    obstacle = error.description
                }
            }
        case .assignment:
            if let assignment = try field.assignments.findReadable(reference.id) {
                title =
                    "of \(assignment.inspector) to \(try Self.site(assignment.site, field: field)), due \(assignment.due)"
            }
        case .site:
            let users = try field.records(ofSite: reference.id)
            if !users.isEmpty {
                obstacle =
                    "The site \(title) has \(users.joined(separator: " and ")) and cannot be deleted before. "
                    + "See the inspections: list --site \(reference.shortID)"
            }
        case .form: break
        }
        self.obstacle = obstacle
        self.findings = findings.count
        let more = [(findings.count, "finding"), (photos, "photo")].filter { $0.0 > 0 }.map { $0.0.of($0.1) }
        summary =
            "the \(reference.kind.rawValue) \(title)"
            + (more.isEmpty ? "" : ", with \(more.joined(separator: " and "))")
    }

    private static func obstacle(to reference: RecordReference, _ inspection: Inspection) -> String? {
        let name = "The inspection \(reference.shortID)"
        switch inspection.status {
        case .draft, .returned: return nil
        case .submitted, .approved:
            return
                "\(name) is \(inspection.status.rawValue), so it cannot be deleted. Ask a supervisor to return it to you; then it can."
        }
    }

    private static func site(_ id: String, field: FieldDatabase) throws -> String {
        try field.sites.findReadable(id)?.name ?? RecordReference.short(id, kind: .site)
    }
}
