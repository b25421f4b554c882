import AttachmentVault
import DocumentValues
import FieldRecords
import Foundation

/// Makes a folder for records, and changes the passphrase or key of its photos.
struct FolderCommands {
    let session: ShellSession

    func make(usesKeyFile: Bool) throws -> Done {
        let path = session.folder.url.path
        try FolderAccess.check(session.folder)
        guard !session.folder.isInitialized else { throw SettingsError(.alreadyInitialized, path: path) }
        try session.create(usesKeyFile: usesKeyFile)
        let advice =
            usesKeyFile
            ? "The key of your photos is in the folder, in a file only you can read."
            : "Keep the passphrase: without it nobody can open your photos, nor help you."
        let plain = "The text of records is not encrypted: for that, encrypt the disk."
        let next = "Next: " + AdviceText.command(.signIn, spelling: .program(folder: session.opener.namedFolder))
        return Done("Made \(path).\n\(advice)\n\(plain)\n\(next)", object: ["folder": .string(path)])
    }

    func protect(by change: PassphraseChange) throws -> Done {
        try session.change(to: change)
        let text =
            change == .keyFile
            ? "The key of your photos is in the folder now, in a file only you can read."
            : "The passphrase is changed. Keep it: nobody can help you without it."
        return Done(text, object: ["passphrase": .bool(change != .keyFile)])
    }
}
