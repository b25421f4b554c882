import FieldRecords
import Foundation

extension ShellSession {
    /// Sentences on what was written and is in no record: files that nobody would look for. While no question is open.
    func notesOnUnfinishedTexts() -> [String] {
        let texts = UnfinishedTexts(folder: folder.url)
        do {
            return try texts.find().map { file in
                let how = texts.isRecoveredByVim(file) ? "vim -r opens it. " : ""
                return "A text that was being written is in no record: \(file.path). \(how)"
                    + "Copy what you need of it into its answer (:edit), then delete the file."
            }
        } catch {
            return ["Texts that were being written cannot be looked for: \(error.localizedDescription)"]
        }
    }
}
