import AttachmentVault
import DocumentStore
import FieldModels
import Foundation

extension FieldDatabase {
    /// Makes a folder. What it will hold is sealed with `key`.
    ///
    /// - Throws: `SettingsError` if there is one already.
    public static func create(at folder: FieldFolder, key: AttachmentKey) throws -> FieldDatabase {
        guard !folder.isInitialized else { throw SettingsError(.alreadyInitialized, path: folder.url.path) }
        let field = try open(folder, key: key)
        var settings = FolderSettings()
        settings.nameDevice()
        try settings.save(in: folder)
        return field
    }

    /// - Throws: `SettingsError` if there is no folder, `StoreError` if the key is wrong.
    public static func open(at folder: FieldFolder, key: AttachmentKey) throws -> FieldDatabase {
        guard folder.isInitialized else { throw folder.missing }
        return try open(folder, key: key)
    }

    /// Whether somebody has to be asked for a passphrase before the folder can be opened.
    public static func needsPassphrase(_ folder: FieldFolder) throws -> Bool {
        try Database.attachmentProtection(ofFolder: folder.url.path) == .passphrase
    }

    private static func open(_ folder: FieldFolder, key: AttachmentKey) throws -> FieldDatabase {
        var configuration = DatabaseConfiguration()
        configuration.sealAttachments(with: key)
        try folder.removeInterruptedWrites()
        return try FieldDatabase(folder: folder, configuration: configuration)
    }
}
