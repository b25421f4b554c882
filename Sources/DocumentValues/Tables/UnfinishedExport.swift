/// The file that an export keeps in its folder until it is complete: it marks the incomplete export of a program that
/// was killed.
package enum UnfinishedExport {
    package static let fileName = "UNFINISHED-EXPORT.txt"

    package static let text = """
        This export is not complete. Either it is still being written, or the program that wrote it was ended.
        If none is running any more, remove this folder and export again.

        """

    /// What to do with a folder that is not empty.
    ///
    /// - Parameter names: the names of its files.
    package static func advice(onFolderWith names: [String]) -> String {
        names.contains { $0.isExactly(fileName) }
            ? "An export into it was not finished. If none is running any more, remove the folder and export again"
            : "Export into a new folder, so that no file in this one is lost"
    }
}
