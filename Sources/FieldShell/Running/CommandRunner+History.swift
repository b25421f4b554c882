import DocumentValues
import FieldModels
import FieldRecords

/// What was changed, and taking it back.
extension CommandRunner {
    func undo() throws -> Done {
        let field = try session.field()
        let pending: PendingUndo
        do { pending = try field.pendingUndo() } catch let error as UndoError {
            throw try BlockedUndo(error, deleted: field.deletedRecords().filter(\.isOwn)) ?? error
        }
        guard try mayVanish(pending) else { return Done("Nothing was undone.", object: [:]) }
        let change = try field.undo(by: session.author(), seen: pending)
        let lines = try change.records.map { record in
            let name = "\(record.kind.rawValue) \(RecordReference.short(record.id, kind: record.kind))"
            switch record.outcome {
            case .removed: return "The \(name) is gone."
            case .restored: return Self.text(name, restored: record.changes)
            case .restoredByEdit: return Self.text(name, restored: record.changes) + " The next sync sends it."
            case .broughtBackAsDraft:
                let title = try RecordFinder.title(record.kind, id: record.id, field: field)
                return "The \(name), \(title), is there again, as a draft: it had been returned."
            case .broughtBackAsSubmitted:
                let title = try RecordFinder.title(record.kind, id: record.id, field: field)
                return "The \(name), \(title), is there again, as submitted: it had been approved."
            case .broughtBack:
                return
                    "The \(name), \(try RecordFinder.title(record.kind, id: record.id, field: field)), is there again."
            }
        }
        // The numbers on the screen stay what they are.
        let present = change.records.filter { $0.outcome != .removed }.map { RecordReference($0.kind, id: $0.id) }
        if session.listing.isEmpty { session.listing = LastList(present) }
        let head = "Undone: \(change.title), \(session.environment.clock.text(change.moment))."
        return Done(
            ([head] + lines).joined(separator: "\n"),
            object: [
                "undone": .string(change.title), "at": .string(change.moment.description),
                "records": .array(
                    change.records.map { record in
                        [
                            "_id": .string(record.id), "outcome": .string(record.outcome.rawValue),
                            "changes": .array(record.changes.map { .string($0) }),
                        ]
                    }),
            ])
    }

    /// `The site mill is as it was before: phone 123 → nothing.`
    private static func text(_ name: String, restored changes: [String]) -> String {
        let lines = changes.map { $0.printableLine.cut(to: ShellLimits.answerShown) }
        return "The \(name) is as it was before" + (lines.isEmpty ? "." : ": \(lines.joined(separator: ", ")).")
    }

    /// What was new is gone for good when it is taken back: that is asked about as a deletion is. So are photos, and texts that
    /// nobody types again from memory.
    private func mayVanish(_ pending: PendingUndo) throws -> Bool {
        let what = try vanishingRecords(pending) + lostParts(pending.losses)
        guard !what.isEmpty else { return true }
        let change = "\(pending.title), \(session.environment.clock.text(pending.moment))"
        return try session.consents(
            to: "Undo \(change)? It takes away for good \(what.joined(separator: ", and ")).".printable)
    }

    func lostParts(_ losses: UndoLosses) -> [String] {
        let texts = losses.texts.filter {
            $0.text.utf8.count > ShellLimits.textOfMemory || $0.text.utf8.contains(UInt8(ascii: "\n"))
        }
        let parts =
            texts.map { text in
                let name = "\(text.field) of the \(text.record.kind.rawValue) \(text.record.shortID)"
                return "the \(name): '\(text.text.printableLine.cut(to: ShellLimits.answerShown))'"
            }
            + losses.photos.map { photos in
                let names = photos.names.prefix(ShellLimits.candidates).map(\.text.printableLine)
                let rest = photos.names.count - names.count
                let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
                return "\(photos.names.count.of("photo")) of the \(photos.record.kind.rawValue) "
                    + "\(photos.record.shortID) (\(list))"
            }
        let rest = parts.count - ShellLimits.candidates
        return parts.prefix(ShellLimits.candidates) + (rest > 0 ? ["\(rest) more"] : [])
    }

    private func vanishingRecords(_ pending: PendingUndo) throws -> [String] {
        let field = try session.field()
        let inspections = Set(pending.vanishing.filter { $0.kind == .inspection }.map { Name($0.id) })
        // The question about an inspection counts its findings.
        let named = try pending.vanishing.filter { record in
            // What is damaged can be taken back, too.
            guard record.kind == .finding, let finding = try field.findings.findReadable(record.id) else { return true }
            return finding.inspection.map { !inspections.contains(Name($0)) } ?? true
        }
        let rest = named.count - ShellLimits.candidates
        return try named.prefix(ShellLimits.candidates).map { record in
            try Deletion(of: RecordReference(record.kind, id: record.id), in: field).summary
        } + (rest > 0 ? [rest.of("more record")] : [])
    }

    private func deletedRecord(_ reference: RecordReference) throws -> DeletedRecord? {
        try session.field().deletedRecords().first { $0.reference == reference }
    }

    func log(_ text: String) throws -> Detail {
        let reference = try RecordFinder(session: session, mayBeGone: true).find(text, among: RecordKind.allCases)
        let field = try session.field()
        let clock = session.environment.clock
        let events = try field.log(of: reference.kind, reference.id)
        let deleted = try field.isThere(reference.kind, id: reference.id) ? nil : deletedRecord(reference)
        let title =
            try deleted.map { "\($0.title), \($0.how)" }
            ?? RecordFinder.title(reference.kind, id: reference.id, field: field)
        var fields = events.map { event in
            Detail.Field(
                label: event.moment.map(clock.text) ?? "", value: (event.author.map { "\($0), " } ?? "") + event.text)
        }
        if let changes = try field.changes(of: reference) {
            if try field.lossesOfSettingBack(changes) != nil {
                fields.append(Detail.Field(label: "", value: Self.wayBack(reference)))
            }
            try field.note([changes], as: .read)
        }
        return Detail(
            title: "\(reference.kind.rawValue) \(reference.shortID), \(title)", reference: reference, fields: fields,
            object: [
                "_id": .string(reference.id),
                "events": .array(
                    events.map { event in
                        var object: JSONObject = ["what": .string(event.text)]
                        object["at"] = event.moment.map { .string($0.description) }
                        object["by"] = event.author.map { .string($0) }
                        return .object(object)
                    }),
            ])
    }
}

/// The last change cannot be taken back; but what was deleted before it can, by its name.
private struct BlockedUndo: UserFacingError {
    let description: String

    init?(_ error: UndoError, deleted: [DeletedRecord]) {
        guard let first = deleted.first else { return nil }
        let way = deleted.count == 1 ? "undo \(first.reference.shortID)" : "undo ID; which: list --deleted"
        description = "\(error)\nWhat was deleted here comes back at any time: \(way)"
    }
}

extension ShellCommand {
    /// What the journal calls a change that is made by this command; `nil` for those that change no record.
    var changeTitle: String? {
        switch self {
        case .new(let request): "new \(request.kind.rawValue)"
        case .start: "start"
        case .edit: "edit"
        case .attach: "attach"
        case .photo(let request): "photo \(request.action.rawValue)"
        case .submit: "submit"
        case .approve: "approve"
        case .sendBack: "return"
        case .delete: "delete"
        case .deleteFindings: "delete findings"
        case .conflicts(.take), .conflicts(.keepAll): "conflicts take"
        case .conflicts(.list), .conflicts(.show): nil
        case .initialize, .login, .passphrase, .passphraseForgotten, .today, .list, .listDeleted, .listChanged, .find,
            .log, .undo,
            .show, .sync, .service, .status, .outbox, .quarantine, .importFiles, .export, .shell, .more, .help, .quit:
            nil
        }
    }
}
