import FieldRecords
import Foundation

/// A folder whose passphrase or key is lost: its records are readable, and its photos are given up.
struct LockedFolder {
    let session: ShellSession

    /// Opens it without its passphrase or key.
    ///
    /// - Returns: the folder, and whether the passphrase or the key is lost.
    func open() throws -> (field: FieldDatabase, lost: Forgotten) {
        _ = try session.settings()
        guard !session.isOpen else {
            throw UsageError(
                "This shell has the folder open, so no photo is lost yet.",
                hint: "Send them with sync. Then leave the shell: --forgotten is for a folder that is closed.")
        }
        let lost: Forgotten = try FieldDatabase.needsPassphrase(session.folder) ? .passphrase : .key
        guard try lost == .passphrase || FieldDatabase.hasLostKey(session.folder) else {
            throw UsageError("The folder opens without a passphrase.", hint: "Nothing is lost: use it as before.")
        }
        return (try FieldDatabase.openLocked(at: session.folder), lost)
    }

    /// Gives up the data sealed with the forgotten passphrase, or the lost key; the folder opens with a new key
    /// afterwards.
    func giveUpSealed(
        losing lost: [UnsentPhotos], of field: FieldDatabase, for change: PassphraseChange
    ) throws -> (folder: URL, edits: Int) {
        try session.dialogue.hidingInput {
            // Nothing is given up for a passphrase that is not there yet.
            let key = try session.opener.newKey(change)
            let moved = try field.forgottenPassphrase.giveUp(losing: lost, at: session.environment.now())
            try field.close()
            try FieldDatabase.open(at: session.folder, key: key).close()
            return moved
        }
    }
}
