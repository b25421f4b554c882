import FieldModels
import DocumentValues
import FieldRecords

/// The names of sites by their ids.
struct SiteNames {
    private let present: [Name: String]
    private let deleted: [Name: String]

    init(_ field: FieldDatabase) throws {
        present = try field.listing.siteNames()
        deleted = try SiteName.deleted(field.deletions)
    }

    /// The id where the site is not here.
    subscript(id: String) -> String { present[Name(id)]?.asTitle ?? deleted[Name(id)] ?? id.asTitle }
}
