import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Brings edits back from the quarantine.
struct QuarantineRestoring {
    let session: ShellSession

    func restore(_ record: QuarantinedRecord) throws -> Done {
        let field = try session.field()
        try checkHasInspection(record)
        try field.database.inBatch {
            try field.quarantine.restore(record.id, by: session.author())
            try field.journal.noteWhole("quarantine restore", by: session.author())
        }
        let conflict = try record.kind.flatMap {
            try field.conflicts.conflict(of: $0, record.documentID, for: session.author().name)
        }
        let next =
            "The next sync sends it; if you still have no access, it comes back into the quarantine, or stays in the outbox."
        return Done(
            (["Brought back the \(record.titledName). \(next)"] + Self.lines(about: conflict)).joined(separator: "\n"),
            object: record.object)
    }

    private static func lines(about conflict: RecordConflict?) -> [String] {
        guard let conflict else { return [] }
        return
            (conflict.deletion == nil
            ? [] : ["Others have deleted it. It is yours from now on; whether it stays is to be decided: conflicts"])
            + (conflict.fields.isEmpty
                ? [] : ["Others have changed it since then; to decide which values count: conflicts"])
    }

    /// No list shows a finding whose inspection is deleted.
    private func checkHasInspection(_ record: QuarantinedRecord) throws {
        let field = try session.field()
        guard record.kind == .finding, let id = record.body["inspection"]?.stringValue,
            try !field.store.isThere(.inspection, id: id)
        else { return }
        let reference = RecordReference(.inspection, id: id)
        let part = "The \(record.titledName) is part of the inspection \(reference.shortID)"
        if let kept = try field.quarantine.all().first(where: { $0.kind == .inspection && $0.documentID.isExactly(id) })
        {
            throw UsageError(
                "\(part), which is in quarantine, too.", hint: "Bring that back first: quarantine restore \(kept.id)")
        }
        if try field.deletions.all().contains(where: { $0.reference == reference }) {
            throw UsageError("\(part), which is deleted.", hint: "Bring that back first: undo \(reference.shortID)")
        }
        guard try field.store.isDeleted(.inspection, id: id) else { return }
        throw UsageError(
            "\(part), which is deleted, and is not kept on this laptop.",
            hint: "Somebody who has it can bring it back: list --deleted. What you wrote: quarantine show \(record.id)")
    }
}
