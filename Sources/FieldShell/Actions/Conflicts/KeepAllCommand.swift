import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// After a restore from a backup, or after many deletions, one answer for all records that were also edited elsewhere.
struct KeepAllCommand {
    let session: ShellSession

    /// Keeps all records that were deleted, or that the gateway lost, after one question. Their values stay to be
    /// decided.
    func run() throws -> Done {
        let deleted = try OpenConflicts(session: session).all().filter { $0.deletion != nil }
        guard !deleted.isEmpty else {
            return Done("There is no deleted record to decide about.", object: ["kept": 0, "left": 0])
        }
        guard try session.consents(to: Self.question(deleted.count)) else {
            return Done("Nothing was decided.", object: ["kept": 0, "left": .int(deleted.count)])
        }
        let left = try keep(deleted)
        let kept = deleted.count - left.count
        let done = "\(kept.of("record")) \(kept == 1 ? "is" : "are") kept. The next sync says so to the others: sync"
        return Done(
            ((kept > 0 ? [done] : []) + left).joined(separator: "\n"),
            object: ["kept": .int(kept), "left": .int(left.count)])
    }

    private static func question(_ count: Int) -> String {
        let isOne = count == 1
        return "Somebody deleted \(count.of("record")), or the gateway lost \(isOne ? "it" : "them"), while "
            + "\(isOne ? "it was" : "they were") changed elsewhere. Keep \(isOne ? "it" : "all of them")?"
    }

    /// - Returns: why some are still to be decided.
    private func keep(_ deleted: [RecordConflict]) throws -> [String] {
        let supervisors = SupervisorQuestions(session: session)
        // Before the first write, since this may ask the user.
        var left: [String] = []
        let decided = try deleted.filter { conflict in
            let reason = try reasonToLeave(conflict) { try supervisors.checkSupervises(ofDeletion: conflict) }
            if let reason { left.append(reason) }
            return reason == nil
        }
        let (field, author) = (try session.field(), try session.author())
        try field.database.inBatch {
            for conflict in decided {
                let reason = try reasonToLeave(conflict) {
                    try field.conflicts.decide(conflict, choices: [:], keepsRecord: true, by: author)
                }
                if let reason { left.append(reason) }
            }
        }
        return left
    }

    /// - Returns: the reason why that conflict is left undecided; `nil` if `decide` has succeeded.
    private func reasonToLeave(_ conflict: RecordConflict, decide: () throws -> Void) throws -> String? {
        do {
            try decide()
            return nil
        } catch {
            // Only errors that concern this one record.
            guard error is UsageError || error is RecordActionError || error is RecordError else { throw error }
            let reference = RecordReference(conflict.kind, id: conflict.id)
            return "The \(conflict.kind.rawValue) \(reference.shortID) is still to be decided: \(ErrorText.text(error))"
        }
    }
}
