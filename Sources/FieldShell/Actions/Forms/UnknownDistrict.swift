import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Filled forms that name neither a site nor a district, although records here have districts: a gateway refuses them.
struct UnknownDistrict {
    let session: ShellSession

    /// Says so with the way out.
    ///
    /// - Parameter isStored: whether the record has an id that commands know.
    /// - Returns: `nil` where the record has a district, and where no gateway is to take it.
    func warning(about response: Response, isStored: Bool) throws -> String? {
        guard response.site == nil, response.district == .unknown, try session.settings().gateway != nil else {
            return nil
        }
        let id = RecordReference.short(response.id, kind: .response)
        let way =
            isStored
            ? "Name its site: edit \(id) site=SITE, or its district: edit \(id) district=DISTRICT"
            : "Name its site: leave it with :quit, and fill \(response.form.printableLine) --site SITE"
        return "This record has no site, and its district is unknown: a gateway refuses it. \(way)"
    }
}
