import FieldModels
import FieldRecords

/// The state from one command to the next: the open folder, the records that the user has seen, and the notes of the
/// prompt.
public final class ShellSession {
    public internal(set) var environment: ShellEnvironment
    public let dialogue: any Dialogue
    public let meter: any ProgressMeter
    /// Shows texts that are longer than the screen.
    let pager = Pager()
    let opener: FolderOpener
    private var state = FolderState.closed
    private(set) lazy var photoCopies = PhotoCopies(of: folder, variables: environment.variables)
    public var use = SessionUse.unattended
    /// For the opening of the folder. A shell opens the key with it: any of its lines may need it.
    public var keyUse = KeyUse.atOnce
    /// `--yes`: all questions are answered already.
    public var asksNothing = false
    /// Takes results that come while a command still runs, such as those of a continuous sync.
    public var emit: (CommandResult) -> Void = { _ in }
    var shown = ShownRecords()
    var noticed = NoticedChanges()

    private enum FolderState {
        case closed
        case open(FieldDatabase)
    }

    public init(
        folder: String?, environment: ShellEnvironment, dialogue: any Dialogue, meter: any ProgressMeter,
        passphraseFile: String? = nil
    ) {
        self.environment = environment
        self.dialogue = dialogue
        self.meter = meter
        opener = FolderOpener(
            folder: FieldFolder(path: environment.folderPath(folder)), namedFolder: folder,
            passphraseFile: passphraseFile ?? environment.variables["FIELDBOOK_PASSPHRASE_FILE"], dialogue: dialogue)
    }

    public var folder: FieldFolder { opener.folder }

    var canAsk: Bool { dialogue.isInteractive && !asksNothing }

    /// Whether lists are numbered, because the next command can refer to them.
    var isShell: Bool { use.isShell }

    /// The placeholder for a record in the next command, for messages.
    var recordPlaceholder: String { isShell ? "NUMBER" : "ID" }

    var isOpen: Bool {
        switch state {
        case .closed: false
        case .open: true
        }
    }

    /// The open folder; opens it when it is first needed, and asks for the passphrase if its key is to be opened, too.
    ///
    /// - Throws: `SettingsError` if there is none; `SecretError` or `StoreError` if it cannot be opened.
    func field() throws -> FieldDatabase {
        if case .open(let field) = state { return field }
        _ = try settings()
        return keepOpen(try opener.open(keyUse))
    }

    /// From then on each change of the user's own is a part of the records as they know them.
    private func keepOpen(_ field: FieldDatabase) -> FieldDatabase {
        field.journal.observe { [records = shown.records] in records.note($0) }
        photoCopies.removeAbandoned()
        state = .open(field)
        return field
    }

    public func settings() throws -> FolderSettings {
        try FolderAccess.check(folder)
        return try FolderSettings(of: folder)
    }

    /// A new folder.
    func create(usesKeyFile: Bool) throws { _ = keepOpen(try opener.create(usesKeyFile: usesKeyFile)) }

    public func close() throws {
        photoCopies.end(isShell: isShell)
        if case .open(let field) = state { try field.close() }
        state = .closed
    }

    /// The person who signed in; where the settings were lost, the owner of the records. The name of the machine's user means
    /// nothing to the gateway, which would take it for another person's and refuse the record.
    ///
    /// - Throws: where the settings cannot be read: a record without its author could not be sent.
    func author() throws -> Author {
        let settings = try self.settings()
        let name = try settings.user ?? field().signIn.owner()
        return Author(name: name, moment: environment.now(), device: settings.device ?? DeviceName.host)
    }

    /// Protects the photos in another way from now on. A stranger who finds an open shell must not lock out its owner.
    func change(to change: PassphraseChange) throws {
        let wasOpen = isOpen
        let field = try field()
        try opener.change(to: change, of: field, wasOpen: wasOpen)
    }
}
