import DocumentValues
import FieldForms

/// Which filled forms are written, and how.
public struct ResponseExportRequest: Sendable, Hashable {
    /// As it was typed.
    @Exact public private(set) var form: String
    @Exact public private(set) var folder: String
    package var options = ExportOptions()
    /// Which records; without a status all but drafts.
    public var filter: ListRequest

    init(form: String, folder: String, filter: ListRequest) {
        self.form = form
        self.folder = folder
        self.filter = filter
    }
}
