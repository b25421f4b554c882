import FieldRecords

/// Finds the code that runs a command, and begins its page of the journal.
public struct CommandRunner {
    private let session: ShellSession

    public init(_ session: ShellSession) { self.session = session }

    public func run(_ command: ShellCommand) async throws -> CommandResult {
        if let title = command.changeTitle { try session.field().journal.begin(title, by: session.author()) }
        do {
            return try await result(of: command)
        } catch let error as RecordActionError {
            let work = SubmittedWork(session: session)
            throw try work.wayToTakeBack(after: error) ?? work.namingWorker(error)
        }
    }

    private func export(to folder: String, _ format: RecordExport.Format) async throws -> CommandResult {
        try await PhotoArrival(session: session).bringAll()
        return .exported(try RecordExport(of: session.field(), to: folder, format: format).run())
    }

    private func result(of command: ShellCommand) async throws -> CommandResult {
        switch command {
        case .initialize(let usesKeyFile): .done(try FolderCommands(session: session).make(usesKeyFile: usesKeyFile))
        case .login(let request): .done(try await LoginCommand(session: session, request: request).run())
        case .passphrase(let change): .done(try FolderCommands(session: session).protect(by: change))
        case .passphraseForgotten(let change): .done(try ForgottenCommand(session: session).giveUpSealed(for: change))
        case .today: .groups(try TodayCommand(session: session).run())
        case .start(let assignment): .done(try StartCommand(session: session).run(assignment))
        case .list(let request): .listing(try ListCommand(session: session).run(request))
        case .listDeleted(let kind): .groups(try DeletedCommands(session: session).list(kind))
        case .listChanged: .groups(try ChangedByOthersCommands(session: session).list())
        case .find(let request): .groups(try FindCommand(session: session).run(request))
        case .log(let record): .detail(try LogCommand(session: session).run(record))
        case .diff(let record, let versions): .form(try DiffCommand(session: session).run(record, versions: versions))
        case .view(let action): try await ViewCommands(session: session).run(action) { try await result(of: $0) }
        case .undo(let record): .done(try undone(record))
        case .show(let id, let language): .detail(try ShowCommand(session: session, language: language).run(id))
        case .new(let request): .done(try NewCommand(session: session).run(request))
        case .edit(let record, let values): .done(try EditCommand(session: session).run(record, values: values))
        case .attach(let id, let file, let text):
            .done(try AttachCommand(session: session).run(id, file: file, caption: text))
        case .photo(let request): try await PhotoCommands(session: session).run(request)
        case .submit(let record): .done(try SubmitCommand(session: session).run(record))
        case .approve(let record): .done(try ApproveCommand(session: session).run(record))
        case .sendBack(let id, let why, let at):
            .done(try ReturnCommand(session: session).run(id, because: why, at: at))
        case .delete(let record): .done(try DeleteCommand(session: session).run(record))
        case .deleteFindings(let id, let user): .done(try DeleteFindingsCommand(session: session).run(of: id, by: user))
        case .sync(let options): .synced(try await SyncCommand(session: session).run(options))
        case .service(let request): .done(try ServiceCommands(session: session).run(request))
        case .status: .status(try StatusCommand(session: session).run())
        case .outbox(let action): try OutboxCommands(session: session).run(action)
        case .conflicts(let action): try ConflictCommands(session: session).run(action)
        case .quarantine(let action): try QuarantineCommands(session: session).run(action)
        case .importFiles(let request): try ImportCommand(session: session).run(request)
        case .export(let folder, let format): try await export(to: folder, format)
        case .exportResponses(let request): .form(try ResponseExportCommand(session: session).run(request))
        case .form(let request): try FormCommand(session: session).run(request)
        case .fill(let request): .form(try FillCommand(session: session).run(request))
        case .shell: throw UsageError("You are in the shell.")
        case .more: .more
        case .help(let topic): .help(topic)
        case .quit: .quit
        }
    }

    private func undone(_ record: String?) throws -> Done {
        guard let record else { return try UndoCommand(session: session).run() }
        return try NamedUndoCommand(session: session).run(record)
    }
}
