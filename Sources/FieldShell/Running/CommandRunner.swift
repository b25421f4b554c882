import FieldRecords

/// Finds what runs a command, and begins its page of the journal.
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
        case .undo(let record?): .done(try DeletedCommands(session: session).bringBack(record))
        case .undo(nil): .done(try UndoCommand(session: session).run())
        case .show(let record): .detail(try ShowCommand(session: session).run(record))
        case .new(let request): .done(try NewCommand(session: session).run(request))
        case .edit(let record, let values): .done(try EditCommand(session: session).run(record, values: values))
        case .attach(let record, let file, let caption):
            .done(try AttachCommand(session: session).run(record, file: file, caption: caption))
        case .photo(let request): try PhotoCommands(session: session).run(request)
        case .submit(let record): .done(try SubmitCommand(session: session).run(record))
        case .approve(let record): .done(try ApproveCommand(session: session).run(record))
        case .sendBack(let record, let reason): .done(try ReturnCommand(session: session).run(record, because: reason))
        case .delete(let record): .done(try DeleteCommand(session: session).run(record))
        case .deleteFindings(let inspection, let user):
            .done(try DeleteFindingsCommand(session: session).run(of: inspection, by: user))
        case .sync(let options): .synced(try await SyncCommand(session: session).run(options))
        case .service(let request): .done(try ServiceCommands(session: session).run(request))
        case .status: .status(try StatusCommand(session: session).run())
        case .outbox(let action): try OutboxCommands(session: session).run(action)
        case .conflicts(let action): try ConflictCommands(session: session).run(action)
        case .quarantine(let action): try QuarantineCommands(session: session).run(action)
        case .importFiles(let request): try ImportCommand(session: session).run(request)
        case .export(let folder, let format):
            .exported(try RecordExport(of: session.field(), to: folder, format: format).run())
        case .shell: throw UsageError("You are in the shell.")
        case .more: .more
        case .help(let topic): .help(topic)
        case .quit: .quit
        }
    }

    // MARK: Setting up

    private func initialize(usesKeyFile: Bool) throws -> Done {
        let path = session.folder.url.path
        try FolderAccess.check(session.folder)
        guard !session.folder.isInitialized else { throw SettingsError(.alreadyInitialized, path: path) }
        try session.create(usesKeyFile: usesKeyFile)
        let advice =
            usesKeyFile
            ? "The key of your photos is in the folder, in a file only you can read."
            : "Keep the passphrase: without it nobody can open your photos, nor help you."
        let plain = "The text of records is not encrypted: for that, encrypt the disk."
        let next = "Next: " + AdviceText.command(.signIn, spelling: .program(folder: session.namedFolder))
        return Done("Made \(path).\n\(advice)\n\(plain)\n\(next)", object: ["folder": .string(path)])
    }

    private func passphrase(_ change: PassphraseChange) throws -> Done {
        try session.change(to: change)
        let text =
            change == .keyFile
            ? "The key of your photos is in the folder now, in a file only you can read."
            : "The passphrase is changed. Keep it: nobody can help you without it."
        return Done(text, object: ["passphrase": .bool(change != .keyFile)])
    }

    private func status() throws -> StatusReport {
        let settings = try session.settings()
        let field = try session.field()
        let waiting = try WaitingRecords(field: field, settings: settings)
        return StatusReport(
            folder: session.folder.url.path, gateway: settings.gateway?.absoluteString, user: settings.user,
            isSealedByPassphrase: try FieldDatabase.needsPassphrase(session.folder),
            counts: try RecordKind.allCases.map { kind in
                StatusReport.Count(
                    kind: kind, count: Int(field.collection(of: kind).count), waiting: try waiting.count(of: kind))
            },
            outbox: try field.outbox.unsettled().count, quarantine: try field.database.quarantinedDocumentCount(),
            drafts: try field.listing.unapprovedInspections().filter {
                $0.status == .draft && $0.isToBeDone(by: settings.user)
            }.count,
            conflicts: try session.conflicts().count,
            returned: try ReturnedInspections(to: session.author().name, in: field).all(),
            sync: try session.syncStatus())
    }

    // MARK: Outbox, conflicts, quarantine

    private func quarantine(_ action: QuarantineAction) throws -> CommandResult {
        let field = try session.field()
        let kept = try field.quarantine.all()
        switch action {
        case .list:
            session.number(
                LastList(
                    numbered: kept.compactMap { record in
                        record.kind.map { (Int(record.id), RecordReference($0, id: record.documentID)) }
                    }))
            return .quarantine(kept)
        case .show(let text):
            let record = try quarantined(text, among: kept)
            return .detail(try Detail(of: record, field, clock: session.environment.clock))
        case .restore(let text):
            let record = try quarantined(text, among: kept)
            if record.isDeleted, let kind = record.kind {
                return .done(try deleteAgain(record, as: RecordReference(kind, id: record.documentID)))
            }
            return .done(try restore(record))
        case .discard(let text):
            let record = try quarantined(text, among: kept)
            guard try session.consents(to: "Forget your \(record.change) of the \(record.titledName) for good?") else {
                return .done(Done("Nothing was changed.", object: [:]))
            }
            try field.quarantine.discard(record.id)
            return .done(Done("Forgot the \(record.change) of the \(record.titledName).", object: record.object))
        }
    }

    /// A deletion that was not sent is one again, asked about and undone as every deletion.
    private func deleteAgain(_ record: QuarantinedRecord, as reference: RecordReference) throws -> Done {
        let field = try session.field()
        guard try field.store.isThere(reference.kind, id: reference.id) else {
            throw UsageError(
                "The \(reference.kind.rawValue) \(reference.shortID) is not on this laptop, so there is nothing to delete.",
                hint: "Forget the deletion: quarantine discard \(record.id)")
        }
        // Edits that are brought back are no change that can be undone, so the command has begun none.
        field.journal.begin("delete", by: try session.author())
        let done = try delete(reference)
        if try !field.store.isThere(reference.kind, id: reference.id) { try field.quarantine.discard(record.id) }
        return done
    }
}

extension QuarantinedRecord {
    var shortID: String { kind.map { RecordReference.short(documentID, kind: $0) } ?? documentID }

    fileprivate var change: String { isDeleted ? "deletion" : "edits" }

    private var isTitled: Bool { !title.isExactly(documentID) }

    /// `inspection k3m9x2pq7d, Old mill, 2026-11-22 routine`.
    var line: String {
        (isDeleted ? "deleted " : "") + "\(kind?.rawValue ?? "document") \(shortID)" + (isTitled ? ", \(title)" : "")
    }

    /// `inspection Old mill, 2026-11-22 routine`: what a person knows it by, or else its id.
    var titledName: String { "\(kind?.rawValue ?? "document") \(isTitled ? title : shortID)".printableLine }

    var object: JSONObject {
        [
            "number": .number(JSONNumber(id)), "collection": .string(collection), "_id": .string(documentID),
            "title": .string(title), "reason": .string(reason), "at": .string(moment.description),
            "deleted": .bool(isDeleted), "body": .object(body),
        ]
    }
}
