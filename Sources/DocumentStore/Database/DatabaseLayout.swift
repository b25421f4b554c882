import Foundation

/// Where the files of a database folder are, for code that needs to know before the folder is opened.
package struct DatabaseLayout: Sendable {
    package let attachments: URL

    /// `nil` if there is no database in the folder.
    package init?(folder path: String) {
        let folder = DatabaseFolder(URL(fileURLWithPath: path, isDirectory: true))
        guard folder.exists else { return nil }
        attachments = folder.attachments
    }
}
