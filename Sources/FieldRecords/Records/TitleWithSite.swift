import DocumentValues
import FieldModels

/// What a record is about, for anybody who knows it by its site and its day: `Old mill, 2026-03-04 routine`.
public struct TitleWithSite {
    private let field: FieldDatabase

    public init(_ field: FieldDatabase) { self.field = field }

    public func title(_ reference: RecordReference) throws -> String {
        do {
            switch reference.kind {
            case .inspection:
                guard let inspection = try field.inspections.find(reference.id) else { return "" }
                return "\(try sites.of(inspection.site)), \(inspection.title)"
            case .finding:
                guard let finding = try field.findings.find(reference.id) else { return "" }
                return "\(try sites.of(finding.site)), \(finding.title)"
            case .assignment:
                guard let assignment = try field.assignments.find(reference.id) else { return "" }
                return "\(try sites.of(assignment.site)), due \(assignment.due)"
            case .site: return try field.sites.find(reference.id)?.title ?? ""
            case .form: return try field.forms.findReadable(reference.id)?.title ?? ""
            }
        } catch is RecordError {
            return "(damaged)"
        }
    }

    private var sites: SiteName { SiteName(field) }
}

/// What a site is called, also where somebody has deleted it, here or elsewhere.
public struct SiteName {
    private let field: FieldDatabase

    public init(_ field: FieldDatabase) { self.field = field }

    /// `Old mill`, `Old mill (deleted)`, or its id, also where it is here and cannot be read. What other programs have written
    /// at any length is shortened.
    public func of(_ id: String) throws -> String {
        if let name = try field.sites.findReadable(id)?.title { return name }
        return try Self.deleted(field)[Name(id)] ?? id.asTitle
    }

    /// The names of deleted sites by their ids.
    public static func deleted(_ field: FieldDatabase) throws -> [Name: String] {
        Dictionary(
            try field.deletedRecords().filter { $0.kind == .site }
                .map { (Name($0.id), "\($0.title) (deleted)") }, uniquingKeysWith: { first, _ in first })
    }
}
