import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Gives up refused records.
struct OutboxDiscarding {
    let session: ShellSession

    /// The user is asked about each record, because each loses other data. The finished ones are reported, even if an
    /// error ends the command.
    func discardAll() throws -> Done {
        let field = try session.field()
        let all = try field.outbox.all()
        guard !all.isEmpty else { return Done("The outbox is empty.", object: ["discarded": 0]) }
        // The user has nothing to decide about records that another laptop sends, and this may be the only copy left.
        let own = all.filter { $0.awaits != .anotherLaptop }
        guard !own.isEmpty else {
            return Done("Nothing in the outbox waits for a decision.", object: ["discarded": 0])
        }
        // A new site comes after the records that refer to it.
        return try discardInTurn(own.filter { $0.kind != .site } + own.filter { $0.kind == .site })
    }

    private func discardInTurn(_ records: [RefusedRecord]) throws -> Done {
        let field = try session.field()
        var lines: [String] = []
        var looked = 0
        do {
            let staying = try field.outbox.settle(records) { record in
                showProgress(looked, of: records.count)
                looked += 1
                lines += try discardAmongOthers(record)
            }
            session.meter.finish()
            lines += staying.map { $0.record.stays(because: $0.reason) }
            let left = try records.count { try field.outbox.contains($0) }
            return Done(
                lines.joined(separator: "\n"), object: ["discarded": .int(records.count - left), "left": .int(left)])
        } catch {
            session.meter.finish()
            guard !lines.isEmpty else { throw error }
            session.dialogue.show(lines.joined(separator: "\n"))
            if error is Stopped { throw Stopped("The rest stays in the outbox.") }
            throw error
        }
    }

    /// Each is written by itself, which takes minutes for a register. Where they are asked about, the questions show how far
    /// it is.
    private func showProgress(_ completed: Int, of total: Int) {
        guard session.asksNothing else { return }
        session.meter.update("records", completed: UInt64(completed), total: UInt64(total))
    }

    /// - Returns: the outcome; empty for a finding that was discarded with its new inspection.
    private func discardAmongOthers(_ record: RefusedRecord) throws -> [String] {
        guard try session.field().outbox.contains(record) else { return [] }
        do { try checkNothingRefers(to: record) } catch let error as RecordObstacle {
            return [record.stays(because: error)]
        }
        return [try discard(record).text]
    }

    func discardOne(_ record: RefusedRecord) throws -> Done {
        try checkNothingRefers(to: record)
        var done = try discard(record)
        if try !session.field().outbox.contains(record) { done.text += try refusedFindings(of: record) }
        return done
    }

    /// Records that refer to a new site would refer to a missing one.
    private func checkNothingRefers(to record: RefusedRecord) throws {
        guard record.change == .new, record.kind == .site else { return }
        try Deletion(of: RecordReference(.site, id: record.documentID), in: session.field()).check()
    }

    private func discard(_ record: RefusedRecord) throws -> Done {
        let field = try session.field()
        let findings = try field.outbox.newFindings(of: record).count
        let with = findings > 0 ? " and \(findings.of("finding"))" : ""
        let done = try field.outbox.inspectionKept(discarding: record, by: session.author())
        let question =
            try field.outbox.isLostAtGateway(record)
            ? DiscardText.lostQuestion(record)
            : DiscardText.question(record, with: with) + DiscardText.staysDone(by: done)
        guard try session.consents(to: question) else {
            return Done("Nothing was discarded.", object: [:])
        }
        let outcome = try field.database.inBatch {
            let outcome = try field.outbox.discard(record)
            if let done, outcome == .reverted {
                try field.assignedWork.closeAssignment(ofReturned: done.id, by: session.author())
            }
            try field.journal.noteWhole("outbox discard", by: session.author())
            return outcome
        }
        let text = DiscardText.outcome(outcome, record: record, with: with)
        return Done(outcome == .reverted ? text + DiscardText.staysDone(by: done) : text, object: record.object)
    }

    /// Findings go along with their inspection to another district, but each is refused by itself.
    private func refusedFindings(of record: RefusedRecord) throws -> String {
        guard record.kind == .inspection else { return "" }
        let field = try session.field()
        let waiting = try field.outbox.all().filter { refused in
            guard refused.kind == .finding else { return false }
            let inspection = try field.collection(of: .finding).document(id: refused.documentID)?.body["inspection"]
            return inspection?.stringValue?.isExactly(record.documentID) == true
        }
        guard let first = waiting.first else { return "" }
        let name = waiting.count == 1 ? "A finding of it is" : "\(waiting.count.of("finding")) of it are"
        return "\n\(name) still in the outbox. Discard changes there, too: outbox discard \(first.number)"
    }
}
