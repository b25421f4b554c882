import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormEntry
import FormLogic

/// A record that is final, or was sent: its first changed answer would make it a draft, which does not go with a sync.
struct FinishedRecord {
    let session: ShellSession
    let dialogue: any Dialogue

    /// Asks, and takes the record back to a draft after a yes. Its history keeps the reason of a change after sending.
    ///
    /// - Throws: `UsageError` where lines of a pipe would be the reply; `Stopped` after Ctrl-C.
    func mayBeChanged(_ record: FormSession) throws -> Bool {
        let (state, question): (String, String)
        switch record.progress {
        case .open: return true
        case .final:
            state = "This record is final and goes with the next sync."
            question = "Take it back to a draft to change it?"
        case .sent:
            state = "This record was sent. A change makes a draft of it, which goes once it is finalised again."
            question = "Change it?"
        }
        guard dialogue.mayConsent else {
            let short = RecordReference.short(record.response.id, kind: .response)
            throw UsageError(state, hint: "Take it back in a terminal: fill \(short)")
        }
        dialogue.show(state)
        let questions = Questions(dialogue: dialogue, today: session.environment.today())
        guard try questions.confirm("\(question) y or n") else { return false }
        let reason = record.progress == .sent ? try reason(questions) : nil
        guard reason != nil || record.progress == .final else { return false }
        try record.reopen(because: reason)
        dialogue.show("It is a draft again, and goes with no sync until :done finalises it.")
        return true
    }

    /// `nil` for a full stop.
    private func reason(_ questions: Questions) throws(Stopped) -> String? {
        while true {
            guard let line = try questions.line("Why is it changed? (. leaves it as it is) ") else { return nil }
            let reason = line.trimmingSpaces
            if !reason.isEmpty { return reason.shortened(toScalars: ConversationLimits.note) }
        }
    }
}
