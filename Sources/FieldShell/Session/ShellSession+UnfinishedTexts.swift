import FieldRecords
import Foundation

extension ShellSession {
    /// Gives a visible file name to written texts that are in no record, since the user would not look for hidden ones. To
    /// be called while no question is open.
    ///
    /// - Returns: some lines for each.
    func recoverUnfinishedTexts() -> [String] {
        TextFolders(folder: folder.url, spare: SpareFolder.all(environment.variables)).all.flatMap(recover)
    }

    private func recover(_ texts: UnfinishedTexts) -> [String] {
        do {
            return try texts.recover().map { file in
                let how = texts.isRecoveredByVim(file) ? "vim -r opens it. " : ""
                // A path is copied as a line.
                return "A text that was being written is in no record:\n\(file.path)\n\(how)"
                    + "Copy what you need of it into its answer (:edit), then delete the file."
            }
        } catch {
            return ["Texts that were being written cannot be looked for: \(error.localizedDescription)"]
        }
    }
}
