import FieldRecords
import Foundation

/// The way out for somebody who has forgotten the passphrase of a folder.
enum Forgotten {
    static func advice(_ folder: FieldFolder) -> String {
        """
        If it is forgotten, nobody can open the photos any more. The records are not sealed; this keeps them, with all that \
        was never sent:
          fieldbook passphrase --forgotten --folder '\(folder.url.path)'
        Photos that were sent come back with the next sync. Photos that were never sent, and edits in the quarantine, are \
        lost with the passphrase.
        """
    }
}

extension ShellSession {
    /// Opens the folder without what opens its photos, to give those up.
    func locked() throws -> FieldDatabase {
        _ = try settings()
        guard !isOpen else {
            throw UsageError(
                "This shell has the folder open, so no photo is lost yet.",
                hint: "Send them with sync. Then leave the shell: --forgotten is for a folder that is closed.")
        }
        guard try FieldDatabase.needsPassphrase(folder) else {
            throw UsageError("The folder opens without a passphrase.", hint: "Nothing is lost: use it as before.")
        }
        return try FieldDatabase.openLocked(at: folder)
    }

    /// Gives up what the forgotten passphrase seals; the folder opens with a new key afterwards.
    func giveUpSealed(
        losing lost: [UnsentPhotos], of field: FieldDatabase, for change: PassphraseChange
    ) throws -> (folder: URL, edits: Int) {
        try dialogue.hidingInput {
            // Nothing is given up for a passphrase that is not there yet.
            let key = try newKey(change)
            let moved = try field.giveUpSealed(losing: lost, at: environment.now())
            try field.close()
            try FieldDatabase.open(at: folder, key: key).close()
            return moved
        }
    }
}
