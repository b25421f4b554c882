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

extension ShellSession {
    /// Opens the folder without its passphrase or key, to give up the photos.
    ///
    /// - Returns: the folder, and whether the passphrase or the key is lost.
    func locked() throws -> (field: FieldDatabase, lost: Forgotten) {
        _ = try settings()
        guard !isOpen else {
            throw UsageError(
                "This shell has the folder open, so no photo is lost yet.",
                hint: "Send them with sync. Then leave the shell: --forgotten is for a folder that is closed.")
        }
        let lost: Forgotten = try FieldDatabase.needsPassphrase(folder) ? .passphrase : .key
        guard try lost == .passphrase || FieldDatabase.hasLostKey(folder) else {
            throw UsageError("The folder opens without a passphrase.", hint: "Nothing is lost: use it as before.")
        }
        return (try FieldDatabase.openLocked(at: folder), lost)
    }

    /// Gives up the data sealed with the forgotten passphrase, or the lost key; the folder opens with a new key
    /// afterwards.
    func giveUpSealed(
        losing lost: [UnsentPhotos], of field: FieldDatabase, for change: PassphraseChange
    ) throws -> (folder: URL, edits: Int) {
        try dialogue.hidingInput {
            // Nothing is given up for a passphrase that is not there yet.
            let key = try opener.newKey(change)
            let moved = try field.forgottenPassphrase.giveUp(losing: lost, at: environment.now())
            try field.close()
            try FieldDatabase.open(at: folder, key: key).close()
            return moved
        }
    }
}
