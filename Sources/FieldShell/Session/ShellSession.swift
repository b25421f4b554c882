import AttachmentVault
import DocumentStore
import FieldModels
import FieldRecords
import Foundation

/// What lasts from one command to the next: the open folder, and the numbers of the last list.
public final class ShellSession {
    public internal(set) var environment: ShellEnvironment
    public let dialogue: any Dialogue
    public let meter: any ProgressMeter
    public private(set) var folder: FieldFolder
    /// As it was named for this session; `nil` for that of the environment.
    let namedFolder: String?
    /// Shows what is longer than the screen.
    let pager = Pager()
    /// What the numbers that a person types represent.
    var listing: LastList = []
    /// Whether lists are numbered, because the next command can refer to them.
    var isShell = false
    /// What a record is named by in the next command, as messages have it.
    var recordPlaceholder: String { isShell ? "NUMBER" : "ID" }
    public var asksNothing = false
    /// Takes results that come while a command still runs, such as those of a continuous sync.
    public var emit: (CommandResult) -> Void = { _ in }
    /// Whether Ctrl-C stops a sync rather than the program.
    public var stopsOnInterrupt = false

    /// What was wrong with the sync when the last line was asked for.
    var syncTrouble: SyncTrouble?

    var siteWatch = SiteWatch()
    var returnWatch = ReturnWatch()
    var changeWatch = ChangeWatch()
    var deletionWatch = DeletionWatch()
    var newsWatch = NewsWatch()
    var conflictWatch = ConflictWatch()
    /// How many conflicts were there when the last line was asked for.
    var conflictsNoted = 0
    /// Why conflicts could not be counted when the last line was asked for.
    var conflictError: String?
    /// What the numbers of the last list of conflicts represent; `nil` before there was one.
    var conflictListing: LastList?

    /// What numbers of the outbox that were shown represent; none is given to two records.
    var outboxNumbers: [Int64: RecordReference] = [:]

    /// What was to be decided about records when that was shown last.
    var shownConflicts: [RecordReference: [ContestedField]] = [:]
    /// A record's photos in the order in which they were listed last, as the person knows them.
    var shownPhotos: [RecordReference: [Photo]] = [:]
    /// Records that were shown.
    let seen = SeenRecords()
    /// The numbers of the photos of conflicts that were shown.
    var conflictPhotos: [RecordReference: PhotoNumbers] = [:]

    private(set) lazy var photoCopies = PhotoCopies(of: folder, variables: environment.variables)

    private var opened: FieldDatabase?
    let passphraseFile: String?

    public init(
        folder: String?, environment: ShellEnvironment, dialogue: any Dialogue, meter: any ProgressMeter,
        passphraseFile: String? = nil
    ) {
        self.environment = environment
        self.dialogue = dialogue
        self.meter = meter
        self.folder = FieldFolder(path: environment.folderPath(folder))
        namedFolder = folder
        self.passphraseFile = passphraseFile ?? environment.variables["FIELDBOOK_PASSPHRASE_FILE"]
    }

    var canAsk: Bool { dialogue.isInteractive && !asksNothing }

    var isOpen: Bool { opened != nil }

    /// The open folder; opens it, and asks for the passphrase, when it is first needed.
    ///
    /// - Throws: `SettingsError` if there is none; `SecretError` or `StoreError` if it cannot be opened.
    func field() throws -> FieldDatabase {
        if let opened { return opened }
        let field = try open()
        field.journal.observe { [seen] in seen.note($0) }
        photoCopies.removeAbandoned()
        opened = field
        return field
    }

    public func settings() throws -> FolderSettings {
        try FolderAccess.check(folder)
        return try FolderSettings(of: folder)
    }

    public func close() throws {
        photoCopies.end(isShell: isShell)
        try opened?.close()
        opened = nil
    }

    /// The person who signed in; where the settings were lost, the owner of the records. The name of the machine's user means
    /// nothing to the gateway, which would take it for another person's and refuse the record.
    ///
    /// - Throws: where the settings cannot be read: a record without its author could not be sent.
    func author() throws -> Author {
        let settings = try self.settings()
        let name = try settings.user ?? field().owner()
        return Author(name: name, moment: environment.now(), device: settings.device ?? DeviceName.host)
    }

    func create(usesKeyFile: Bool) throws {
        try dialogue.hidingInput {
            try create(key: usesKeyFile ? .keyFile : .passphrase(try newPassphrase()))
        }
    }

    private func create(key: AttachmentKey) throws { opened = try FieldDatabase.create(at: folder, key: key) }

    /// A new folder's passphrase: from the file, or chosen at the terminal.
    private func newPassphrase() throws -> String {
        let source = SecretSource(dialogue: dialogue)
        if let passphraseFile { return try source.read(file: passphraseFile) }
        guard dialogue.isInteractive else { throw Self.noPassphrase }
        return try source.choose("Passphrase")
    }

    private func open() throws -> FieldDatabase {
        _ = try settings()
        guard try FieldDatabase.needsPassphrase(folder) else { return try openByItself() }
        if let passphraseFile {
            let passphrase = try SecretSource(dialogue: dialogue).read(file: passphraseFile)
            return try FieldDatabase.open(at: folder, key: .passphrase(passphrase))
        }
        guard dialogue.isInteractive else { throw Self.noPassphrase }
        return try dialogue.hidingInput { try openAsking() }
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

    /// Protects the photos in another way from now on. Somebody who finds an open shell must not lock out its owner.
    func change(to change: PassphraseChange) throws {
        let wasOpen = opened != nil
        let field = try field()
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
