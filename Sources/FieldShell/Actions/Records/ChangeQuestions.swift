import DocumentValues
import FieldModels
import FieldRecords

/// Changes a record by its open questions, or from a menu.
struct ChangeQuestions<Record: EditableRecord> {
    let session: ShellSession
    let draft: RecordDraft<Record>

    /// A draft continues at its first question that is open, or wrongly answered; a complete record is changed by the
    /// numbers of its fields.
    func ask() throws {
        guard session.canAsk else {
            throw UsageError(
                "Say what to change: FIELD=VALUE.", hint: CommandCatalogue.specification(of: .edit).usageLine)
        }
        do {
            if let inspection = draft.record as? Inspection, hasOpenQuestions {
                try goOn(with: inspection)
            } else if let finding = draft.record as? Finding, finding.risk == nil {
                try goOnWithFinding()
            } else {
                try showSubject()
                try ChangeMenu(session: session, draft: draft).run()
            }
        } catch is Stopped where draft.isChanged {
            throw Stopped("What was answered until now is saved.")
        }
    }

    /// None of the answers says it, but those of a site.
    private func showSubject() throws {
        let reference = RecordReference(Record.kind, id: draft.record.id)
        guard reference.kind != .site else { return }
        session.dialogue.show(try TitleWithSite(session.field().deletions).title(reference).printableLine)
    }

    private var hasOpenQuestions: Bool {
        draft.record.editableFields(form: draft.form).contains {
            !$0.isChangedByNameOnly && !$0.isAnswered(in: draft.record)
        }
    }

    private func goOn(with inspection: Inspection) throws {
        let site = try SiteName(session.field().deletions).of(inspection.site)
        let isWrong = draft.record.editableFields(form: draft.form).contains { $0.problem(in: draft.record) != nil }
        let what = isWrong ? "what is still open, or wrong" : "what is still open"
        session.dialogue.show("\(site), \(inspection.date): \(what). :all shows every answer.".printable)
        session.dialogue.show(AnswerLine.signs)
        let end = try Interview(session: session, draft: draft, asksOnlyOpen: true).run()
        if case .complete = end, let changed = draft.record as? Inspection {
            _ = try FindingQuestions(session: session).ask(about: changed)
        }
    }

    /// A finding is saved with its text; without a risk its questions were not asked to their end.
    private func goOnWithFinding() throws {
        session.dialogue.show("\(draft.record.title): what is still open. :all shows every answer.".printableLine)
        session.dialogue.show(AnswerLine.signs)
        let end = try Interview(session: session, draft: draft, skipping: ["corrected"], asksOnlyOpen: true).run()
        if case .complete = end, !draft.isChanged { try ChangeMenu(session: session, draft: draft).run() }
    }
}
