import Foundation

/// Where things are in a database folder, for those who must look before it is opened.
package struct DatabaseLayout: Sendable {
    package let attachments: URL

    /// `nil` if there is no database in the folder.
    package init?(folder path: String) {
        let folder = DatabaseFolder(URL(fileURLWithPath: path, isDirectory: true))
        guard folder.exists else { return nil }
        attachments = folder.attachments
    }
}
