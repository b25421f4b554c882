import FieldRecords
import Foundation

/// The remedy for a user who has lost the passphrase or the key of a folder's photos.
enum Forgotten: String {
    case passphrase
    case key

    private var loss: String {
        switch self {
        case .passphrase: "If it is forgotten, nobody can open the photos any more."
        case .key:
            "The key of the folder's photos is missing or damaged. If a backup of the folder has it, put it back: "
                + "attachments/vault.key. Otherwise nobody can open the photos any more."
        }
    }

    func advice(_ folder: FieldFolder) -> String {
        let option = self == .key ? " --key-file" : ""
        return """
            \(loss) The records are not sealed; this keeps them, with all that was never sent:
              fieldbook passphrase --forgotten\(option) --folder '\(folder.url.path)'
            Photos that were sent come back with the next sync. Photos that were never sent, and edits in the quarantine, are \
            lost with the \(rawValue).
            """
    }
}
