import DocumentStore
import DocumentValues
import FieldModels

/// How many findings inspections have, looked up for some inspections at a time.
package struct FindingCounts: Sendable {
    private let findings: RecordRepository<Finding>
    private let odd: OddRecords<Finding>
    private let ties: InspectionTies<Finding>

    init(_ findings: RecordRepository<Finding>) throws {
        self.findings = findings
        odd = try OddRecords(in: findings)
        ties = try InspectionTies(findings.inspections)
    }

    /// By the inspections' ids; none for those without findings.
    package func counts(ofInspections ids: [String]) throws -> [Name: Int] {
        var counts: [Name: Int] = [:]
        try findings.forEachRow(of: ["inspection"], where: .any("inspection", of: ids)) { row in
            if !odd.ids.isEmpty, let id = row.text(0), odd.ids.contains(Name(id)) { return }
            guard let inspection = row.text(1), !ties.hides(inspection: inspection) else { return }
            counts[Name(inspection), default: 0] += 1
        }
        guard !odd.list.records.isEmpty else { return counts }
        let wanted = Set(ids.map { Name($0) })
        for finding in odd.list.records where !ties.hides(finding) {
            if let id = finding.inspection, wanted.contains(Name(id)) { counts[Name(id), default: 0] += 1 }
        }
        return counts
    }
}
