import DocumentValues
import FieldModels
import FieldRecords

/// A deletion, with the records that go with it, for the question before it and the answer after it.
struct Deletion {
    /// `the inspection of Old mill, 2026-03-04, with 2 findings and 1 photo`.
    let summary: String
    /// Of an inspection.
    let findings: Int
    /// Why it cannot be, and the way out.
    private let obstacle: String?

    /// A deletion that is not possible causes no question.
    func check() throws(RecordObstacle) {
        if let obstacle { throw RecordObstacle(obstacle) }
    }

    /// A damaged record can be deleted, too.
    init(of reference: RecordReference, in field: FieldDatabase) throws {
        let subject = try DeletionSubject(reference, in: field)
        obstacle = subject.obstacle
        findings = subject.findings
        let counts = [(subject.findings, "finding"), (subject.photos, "photo")].filter { $0.0 > 0 }
        let more = counts.map { $0.0.of($0.1) }.joined(separator: " and ")
        summary = "the \(reference.kind.rawValue) \(subject.title)" + (more.isEmpty ? "" : ", with \(more)")
    }
}

/// The records to be deleted, as far as they can be read.
private struct DeletionSubject {
    var title: String
    var findings = 0
    var photos = 0
    var obstacle: String?

    init(_ reference: RecordReference, in field: FieldDatabase) throws {
        title = try RecordFinder.title(reference.kind, id: reference.id, field: field)
        switch reference.kind {
        case .inspection: try readInspection(reference, in: field)
        case .finding: try readFinding(reference.id, in: field)
        case .assignment: try readAssignment(reference.id, in: field)
        case .site: try readSite(reference, in: field)
        case .form, .response: break
        }
    }

    private mutating func readInspection(_ reference: RecordReference, in field: FieldDatabase) throws {
        let found = try field.findings.all(ofInspection: reference.id).records
        findings = found.count
        guard let inspection = try field.inspections.findReadable(reference.id) else { return }
        let details = [inspection.title, inspection.status.rawValue, inspection.score.map { "score \($0)" }]
        let site = try Self.site(inspection.site, field: field)
        title = (["of \(site)"] + details.compactMap(\.self)).joined(separator: ", ")
        obstacle = try field.submissions.isHandedIn(inspection) ? Self.obstacle(to: reference, inspection) : nil
        photos = inspection.photos.count + found.reduce(0) { $0 + $1.photos.count }
    }

    private mutating func readFinding(_ id: String, in field: FieldDatabase) throws {
        guard let finding = try field.findings.findReadable(id) else { return }
        let site = try Self.site(finding.site, field: field)
        title = "'\(finding.text.printableLine)' at \(site), \(finding.date)"
        photos = finding.photos.count
        do { try field.submissions.checkIsOpen(inspectionOf: finding) } catch let error as RecordActionError {
            obstacle = ErrorText.text(error)
        }
    }

    private mutating func readAssignment(_ id: String, in field: FieldDatabase) throws {
        guard let assignment = try field.assignments.findReadable(id) else { return }
        let site = try Self.site(assignment.site, field: field)
        title = "of \(assignment.inspector) to \(site), due \(assignment.due)"
    }

    private mutating func readSite(_ reference: RecordReference, in field: FieldDatabase) throws {
        let users = try field.removals.records(ofSite: reference.id)
        guard !users.isEmpty else { return }
        obstacle =
            "The site \(title) has \(users.joined(separator: " and ")) and cannot be deleted before. "
            + "See the inspections: list --site \(reference.shortID)"
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
