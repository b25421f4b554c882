/// Where an export has the attachments of its records.
enum ExportedAttachments {
    /// The folder, with files of readable names.
    static let folder = "attachments"
    /// The table that says which blob each of them is.
    static let index = "attachments.csv"
}
