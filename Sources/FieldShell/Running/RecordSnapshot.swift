import DocumentValues
import FieldModels
import FieldRecords

/// A record as a person was shown it, an inspection with its findings: to see whether it still is so when they act on it.
/// What cannot be read is left out.
struct RecordSnapshot: Hashable {
    private let records: [JSONObject]

    init(of reference: RecordReference, in field: FieldDatabase) throws {
        switch reference.kind {
        case .inspection:
            let findings = try field.findings.all().records.filter { $0.inspection?.isExactly(reference.id) == true }
            records = try Self.object(field.inspections, id: reference.id) + findings.map(\.object)
        case .finding: records = try Self.object(field.findings, id: reference.id)
        case .assignment: records = try Self.object(field.assignments, id: reference.id)
        case .site: records = try Self.object(field.sites, id: reference.id)
        case .form: records = try Self.object(field.forms, id: reference.id)
        }
    }

    private static func object<Record>(_ records: RecordRepository<Record>, id: String) throws -> [JSONObject] {
        do { return try records.find(id).map { [$0.object] } ?? [] } catch is RecordError { return [] }
    }
}
