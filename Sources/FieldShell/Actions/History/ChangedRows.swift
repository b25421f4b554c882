import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// A table of the user's own records that others have changed.
struct ChangedRows {
    let field: FieldDatabase
    /// The name of a site by its id.
    let siteName: (String) throws -> String

    static let title = "Yours, changed by others"
    static let columns = ["ID", "DATE", "SITE", "WHAT"]

    func row(_ changes: ChangesByOthers) throws -> Listing.Row {
        let record = changes.record
        var body = try field.collection(of: record.kind).document(id: record.id)?.body ?? JSONObject()
        let date = body["date"]?.stringValue ?? ""
        let site = record.kind == .site ? record.id : body["site"]?.stringValue
        body["_id"] = .string(record.id)
        return Listing.Row(
            reference: record,
            cells: [
                record.shortID, CalendarDay(date)?.description ?? date, try site.map(siteName) ?? "",
                changes.summary,
            ], object: body)
    }
}
