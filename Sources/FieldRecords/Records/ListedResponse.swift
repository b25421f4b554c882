import DocumentStore
import DocumentValues
import FieldModels

/// A line of the list of filled forms.
package struct ListedResponse: DatedListedRecord {
    package let id: String
    package let form: String
    package let version: String
    package let name: String?
    package let site: String?
    /// `nil` for one that this version of the program does not know.
    package let state: Response.State?
    /// When it was begun, as moments are spelled.
    package let date: String

    package var tie: String? { nil }

    package static let owner = "createdBy"
    package static let status: String? = Response.Key.state.rawValue
    package static let day = Response.Key.startedAt.rawValue
    package static let columns = ["form", "formVersion", "instanceName", "site", "state", "startedAt"]

    package init(id: String, row: QueryRow) {
        self.id = id
        form = row.text(1) ?? ""
        version = row.text(2) ?? ""
        name = row.text(3)
        site = row.text(4)
        state = row.text(5).flatMap { Response.State(exactly: $0) }
        date = row.text(6) ?? ""
    }

    package init(_ response: Response) {
        id = response.id
        form = response.form
        version = response.formVersion
        name = response.instanceName
        site = response.site
        state = response.state
        date = (response.startedAt ?? response.envelope.createdAt)?.description ?? ""
    }
}
