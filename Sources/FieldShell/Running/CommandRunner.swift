import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation

/// Runs commands in a session.
public struct CommandRunner {
    let session: ShellSession
    var finder: RecordFinder { RecordFinder(session: session) }

    public init(_ session: ShellSession) { self.session = session }

    public func run(_ command: ShellCommand) async throws -> CommandResult {
        if let title = command.changeTitle { try session.field().journal.begin(title, by: session.author()) }
        do {
            return try await result(of: command)
        } catch let error as RecordActionError {
            throw try wayToTakeBack(after: error) ?? namingWorker(error)
        }
    }

    private func result(of command: ShellCommand) async throws -> CommandResult {
        switch command {
        case .initialize(let usesKeyFile): return .done(try initialize(usesKeyFile: usesKeyFile))
        case .login(let request): return .done(try await login(request))
        case .passphrase(let change): return .done(try passphrase(change))
        case .passphraseForgotten(let change): return .done(try giveUpSealed(for: change))
        case .today: return .groups(try todaysWork())
        case .start(let assignment): return .done(try start(assignment))
        case .list(let request): return .listing(try list(request))
        case .listDeleted(let kind): return .groups(try listDeleted(kind))
        case .listChanged: return .groups(try listChanged())
        case .find(let request): return .groups(try find(request))
        case .log(let record): return .detail(try log(record))
        case .undo(let record): return .done(try record.map { try bringBack($0) } ?? undo())
        case .show(let record): return .detail(try show(record))
        case .new(let request): return .done(try new(request))
        case .edit(let record, let values): return .done(try edit(record, values: values))
        case .attach(let record, let file, let caption): return .done(try attach(record, file: file, caption: caption))
        case .photo(let request): return try photo(request)
        case .submit(let record): return .done(try submit(record))
        case .approve(let record): return .done(try approve(record))
        case .sendBack(let record, let reason): return .done(try sendBack(record, because: reason))
        case .delete(let record): return .done(try delete(record))
        case .deleteFindings(let inspection, let user): return .done(try deleteFindings(of: inspection, by: user))
        case .sync(let options): return .synced(try await sync(options))
        case .service(let request): return .done(try service(request))
        case .status: return .status(try status())
        case .outbox(let action): return try outbox(action)
        case .conflicts(let action): return try conflicts(action)
        case .quarantine(let action): return try quarantine(action)
        case .importFiles(let request): return try importFiles(request)
        case .export(let folder, let format):
            return .exported(try RecordExport(of: session.field(), to: folder, format: format).run())
        case .shell: throw UsageError("You are in the shell.")
        case .more: return .more
        case .help(let topic): return .help(topic)
        case .quit: return .quit
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
        let next = CommandMentions.inFolder("Next: fieldbook login", named: session.namedFolder)
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
            outbox: try field.unsettledRefusals().count, quarantine: try field.database.quarantinedDocumentCount(),
            drafts: try field.unapprovedInspections().filter {
                $0.status == .draft && $0.isToBeDone(by: settings.user)
            }.count,
            conflicts: try session.conflicts().count,
            returned: try ReturnedInspections(to: session.author().name, in: field).all(),
            sync: try session.syncStatus())
    }

    // MARK: Outbox, conflicts, quarantine

    private func quarantine(_ action: QuarantineAction) throws -> CommandResult {
        let field = try session.field()
        let kept = try field.quarantine()
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
            try field.discardFromQuarantine(record.id)
            return .done(Done("Forgot the \(record.change) of the \(record.titledName).", object: record.object))
        }
    }

    /// A deletion that was not sent is one again, asked about and undone as every deletion.
    private func deleteAgain(_ record: QuarantinedRecord, as reference: RecordReference) throws -> Done {
        let field = try session.field()
        guard try field.isThere(reference.kind, id: reference.id) else {
            throw UsageError(
                "The \(reference.kind.rawValue) \(reference.shortID) is not on this laptop, so there is nothing to delete.",
                hint: "Forget the deletion: quarantine discard \(record.id)")
        }
        // Edits that are brought back are no change that can be undone, so the command has begun none.
        field.journal.begin("delete", by: try session.author())
        let done = try delete(reference)
        if try !field.isThere(reference.kind, id: reference.id) { try field.discardFromQuarantine(record.id) }
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
