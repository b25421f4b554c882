import AttachmentVault
import DocumentStore
import FieldRecords
import Foundation

/// Opens a folder of records with the secret that seals its photos: a passphrase from a file or from the terminal, or a key
/// in the folder.
struct FolderOpener {
    let folder: FieldFolder
    /// As it was named for this session; `nil` for that of the environment.
    let namedFolder: String?
    let passphraseFile: String?
    let dialogue: any Dialogue

    func open(_ use: KeyUse) throws -> FieldDatabase {
        guard try FieldDatabase.needsPassphrase(folder) else { return try openByItself() }
        let given = try passphraseFile.map { try SecretSource(dialogue: dialogue).read(file: $0) }
        switch (use, given) {
        case (.ifNeeded, let passphrase): return try FieldDatabase.open(at: folder, deferringKeyOf: passphrase)
        case (.atOnce, let passphrase?): return try FieldDatabase.open(at: folder, key: .passphrase(passphrase))
        case (.atOnce, nil):
            guard dialogue.isInteractive else { throw Self.noPassphrase }
            return try dialogue.hidingInput { try openAsking() }
        }
    }

    private func openByItself() throws -> FieldDatabase {
        do {
            return try FieldDatabase.open(at: folder, key: .keyFile)
        } catch let error as StoreError where error.code == .corruptData {
            guard try FieldDatabase.hasLostKey(folder) else { throw error }
            throw SecretError(Forgotten.key.advice(folder))
        }
    }

    private func openAsking() throws -> FieldDatabase {
        var tries = 0
        while let passphrase = try SecretSource(dialogue: dialogue).ask("Passphrase (not shown): ") {
            do {
                return try FieldDatabase.open(at: folder, key: .passphrase(passphrase))
            } catch let error as StoreError where error.code == .wrongPassphrase {
                dialogue.show("That is not the passphrase of \(folder.url.path). Ctrl-C leaves.")
            }
            tries += 1
            if tries == ShellLimits.passphraseTries { dialogue.show(Forgotten.passphrase.advice(folder)) }
        }
        throw SecretError("The folder stays closed. Nothing was changed.\n" + Forgotten.passphrase.advice(folder))
    }

    // MARK: Another passphrase

    func create(usesKeyFile: Bool) throws -> FieldDatabase {
        try dialogue.hidingInput {
            try FieldDatabase.create(at: folder, key: usesKeyFile ? .keyFile : .passphrase(try newPassphrase()))
        }
    }

    /// A new folder's passphrase: from the file, or chosen at the terminal.
    private func newPassphrase() throws -> String {
        let source = SecretSource(dialogue: dialogue)
        if let passphraseFile { return try source.read(file: passphraseFile) }
        guard dialogue.isInteractive else { throw Self.noPassphrase }
        return try source.choose("Passphrase")
    }

    /// - Parameter wasOpen: the person who gave the passphrase may have left the shell open.
    func change(to change: PassphraseChange, of field: FieldDatabase, wasOpen: Bool) throws {
        if wasOpen, try FieldDatabase.needsPassphrase(folder), passphraseFile == nil {
            try dialogue.hidingInput { try openAsking() }.close()
        }
        try dialogue.hidingInput { try field.database.changeAttachmentKey(to: try newKey(change)) }
    }

    func newKey(_ change: PassphraseChange) throws -> AttachmentKey {
        switch change {
        case .keyFile: return .keyFile
        case .file(let path): return .passphrase(try SecretSource(dialogue: dialogue).read(file: path))
        case .asked:
            guard dialogue.isInteractive else {
                throw SecretError("The new passphrase is needed: name a file with it by --new-passphrase-file.")
            }
            return .passphrase(try SecretSource(dialogue: dialogue).choose("New passphrase"))
        }
    }

    private static let noPassphrase = SecretError(
        "The passphrase is needed: name a file with it by --passphrase-file or $FIELDBOOK_PASSPHRASE_FILE.")
}
