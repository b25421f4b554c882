import DocumentValues
import FieldModels
import FieldRecords

/// Takes back the last change by the user, or the last one of a record.
struct UndoCommand {
    let session: ShellSession
    var record: RecordReference?

    func run() throws -> Done {
        let field = try session.field()
        let pending: PendingUndo
        do { pending = try field.history.pendingUndo(of: record) } catch let error as UndoError {
            throw try BlockedUndo(error, deleted: field.deletions.all().filter(\.isOwn)) ?? error
        }
        guard try mayVanish(pending) else { return Done("Nothing was undone.", object: [:]) }
        let change = try field.history.undo(by: session.author(), seen: pending, of: record)
        let lines = try change.records.map { try line($0, in: field) }
        // The numbers on the screen keep their records.
        let present = change.records.filter { $0.outcome != .removed }.map { RecordReference($0.kind, id: $0.id) }
        if session.shown.list.isEmpty { session.shown.list = LastList(present) }
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

    private func line(_ record: UndoneChange.Record, in field: FieldDatabase) throws -> String {
        let name = "\(record.kind.rawValue) \(RecordReference.short(record.id, kind: record.kind))"
        func isThere() throws -> String {
            "The \(name), \(try RecordFinder.title(record.kind, id: record.id, field: field)), is back"
        }
        return switch record.outcome {
        case .removed: "The \(name) is gone."
        case .restored: Self.text(name, restored: record.changes)
        case .restoredByEdit: Self.text(name, restored: record.changes) + " The next sync sends it."
        case .broughtBackAsDraft: "\(try isThere()), as a draft: it had been returned."
        case .broughtBackAsSubmitted: "\(try isThere()), as submitted: it had been approved."
        case .broughtBack: "\(try isThere())."
        }
    }

    /// `The site mill is as it was before: phone 123 → nothing.`
    private static func text(_ name: String, restored changes: [String]) -> String {
        let lines = changes.map { $0.printableLine.cut(to: ShellLimits.answerShown) }
        return "The \(name) is as it was before" + (lines.isEmpty ? "." : ": \(lines.joined(separator: ", ")).")
    }

    /// New records are gone for good when they are taken back, so the user is asked, as for a deletion. The same holds for
    /// photos, and for texts too long to be typed again from memory.
    private func mayVanish(_ pending: PendingUndo) throws -> Bool {
        let what = try vanishingRecords(pending) + LostParts(pending.losses).names
        guard !what.isEmpty else { return true }
        let change = "\(pending.title), \(session.environment.clock.text(pending.moment))"
        return try session.consents(
            to: "Undo \(change)? It takes away for good \(what.joined(separator: ", and ")).".printable)
    }

    private func vanishingRecords(_ pending: PendingUndo) throws -> [String] {
        let field = try session.field()
        let inspections = Set(pending.vanishing.filter { $0.kind == .inspection }.map { Name($0.id) })
        // The question about an inspection counts its findings.
        let named = try pending.vanishing.filter { record in
            // The change of a damaged record can be taken back, too.
            guard record.kind == .finding, let finding = try field.findings.findReadable(record.id) else { return true }
            return finding.inspection.map { !inspections.contains(Name($0)) } ?? true
        }
        let rest = named.count - ShellLimits.candidates
        return try named.prefix(ShellLimits.candidates).map { record in
            try Deletion(of: RecordReference(record.kind, id: record.id), in: field).summary
        } + (rest > 0 ? [rest.of("more record")] : [])
    }
}

/// The last change cannot be taken back; but a record that was deleted before it can be brought back by its name.
private struct BlockedUndo: UserFacingError {
    let description: String

    init?(_ error: UndoError, deleted: [DeletedRecord]) {
        guard let first = deleted.first else { return nil }
        let way = deleted.count == 1 ? "undo \(first.reference.shortID)" : "undo ID; which: list --deleted"
        description = "\(ErrorText.text(error))\nWhat was deleted here comes back at any time: \(way)"
    }
}
