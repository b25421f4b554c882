import AttachmentVault
import DocumentStore
import FieldModels
import Foundation

extension FieldDatabase {
    /// Makes a folder. Its contents are sealed with `key`.
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

    /// Opens a folder with a passphrase, and computes its key when a photo or something else that is sealed is first needed.
    ///
    /// - Parameter passphrase: `nil` where it is not known: all that is sealed is an error then.
    /// - Throws: `SettingsError` if there is no folder; a wrong passphrase is an error when the key is needed.
    package static func open(at folder: FieldFolder, deferringKeyOf passphrase: String?) throws -> FieldDatabase {
        guard folder.isInitialized else { throw folder.missing }
        var configuration = DatabaseConfiguration()
        configuration.deferAttachmentKey(passphrase: passphrase)
        return try open(folder, with: configuration)
    }

    /// Whether the user has to give a passphrase before a photo can be opened.
    public static func needsPassphrase(_ folder: FieldFolder) throws -> Bool {
        try Database.attachmentProtection(ofFolder: folder.url.path) == .passphrase
    }

    /// Whether the folder would open without a passphrase, and only its key is missing or damaged. The records are not sealed.
    public static func hasLostKey(_ folder: FieldFolder) throws -> Bool {
        guard try !needsPassphrase(folder) else { return false }
        do {
            try open(at: folder, key: .keyFile).close()
            return false
        } catch let error as StoreError where error.code == .corruptData {
            // Anything else that is damaged keeps it from opening this way, too.
            try openLocked(at: folder).close()
            return true
        }
    }

    private static func open(_ folder: FieldFolder, key: AttachmentKey) throws -> FieldDatabase {
        var configuration = DatabaseConfiguration()
        configuration.sealAttachments(with: key)
        return try open(folder, with: configuration)
    }

    private static func open(
        _ folder: FieldFolder, with configuration: DatabaseConfiguration
    ) throws -> FieldDatabase {
        try folder.removeInterruptedWrites()
        return try FieldDatabase(folder: folder, configuration: configuration)
    }

    /// Opens a folder, for this program alone, without the key of its photos.
    ///
    /// - Throws: `SettingsError` if there is no folder; `StoreError`, `.busy` among them where another program has it open.
    public static func openLocked(at folder: FieldFolder) throws -> FieldDatabase {
        guard folder.isInitialized else { throw folder.missing }
        var configuration = DatabaseConfiguration()
        configuration.leaveAttachmentsLocked()
        configuration.isExclusive = true
        return try FieldDatabase(folder: folder, configuration: configuration)
    }
}
