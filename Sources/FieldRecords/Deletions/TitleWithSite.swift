import DocumentValues
import FieldModels

/// The title of a record for a reader who knows it by its site and its day: `Old mill, 2026-03-04 routine`.
public struct TitleWithSite {
    private let deletions: Deletions

    public init(_ deletions: Deletions) { self.deletions = deletions }

    public func title(_ reference: RecordReference) throws -> String {
        do {
            switch reference.kind {
            case .inspection:
                guard let inspection = try deletions.inspections.find(reference.id) else { return "" }
                return "\(try sites.of(inspection.site)), \(inspection.title)"
            case .finding:
                guard let finding = try deletions.findings.find(reference.id) else { return "" }
                return "\(try sites.of(finding.site)), \(finding.title)"
            case .assignment:
                guard let assignment = try deletions.assignments.find(reference.id) else { return "" }
                return "\(try sites.of(assignment.site)), due \(assignment.due)"
            case .response:
                guard let response = try deletions.responses.find(reference.id) else { return "" }
                guard let site = response.site else { return response.title }
                return "\(try sites.of(site)), \(response.title)"
            case .site: return try deletions.sites.find(reference.id)?.title ?? ""
            case .form: return try deletions.forms.findReadable(reference.id)?.title ?? ""
            }
        } catch is RecordError {
            return "(damaged)"
        }
    }

    private var sites: SiteName { SiteName(deletions) }
}

/// The name of a site, even if it was deleted, here or elsewhere.
public struct SiteName {
    private let deletions: Deletions

    public init(_ deletions: Deletions) { self.deletions = deletions }

    /// `Old mill`, `Old mill (deleted)`, or its id, also where it is here and cannot be read. A long title, which other
    /// programs may write, is shortened.
    public func of(_ id: String) throws -> String {
        if let name = try deletions.sites.findReadable(id)?.title { return name }
        return try Self.deleted(deletions)[Name(id)] ?? id.asTitle
    }

    /// The names of deleted sites by their ids.
    public static func deleted(_ deletions: Deletions) throws -> [Name: String] {
        Dictionary(
            try deletions.all().filter { $0.kind == .site }
                .map { (Name($0.id), "\($0.title) (deleted)") }, uniquingKeysWith: { first, _ in first })
    }
}
