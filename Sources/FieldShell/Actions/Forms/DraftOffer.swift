import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormLogic

/// Names the draft of a form that its user has on the laptop before another record is begun.
struct DraftOffer {
    let session: ShellSession
    let setting: FormSetting

    /// - Returns: the draft, where the person goes on with it.
    /// - Throws: `Stopped` after Ctrl-C and at the end of the input.
    func accepted(of loaded: LoadedForm, site: String?) throws -> FormSession? {
        let field = try session.field()
        let last = try OwnDraft.last(of: loaded.form.id, in: field, setting: setting, site: site)
        guard let draft = last else { return nil }
        let from = draft.savedAt.map { " from \(session.environment.clock.text($0))" } ?? ""
        let name = draft.name.map { ", \($0.printableLine)" } ?? ""
        let short = RecordReference.short(draft.id, kind: .response)
        session.dialogue.show("A draft of this form\(from)\(name) is here: fill \(short)")
        // Lines of a pipe were written for a new record.
        guard session.dialogue.isInteractive, session.dialogue.mayConsent, try isWanted() else { return nil }
        return try FormSession.open(draft.id, in: field, setting: setting)
    }

    private func isWanted() throws(Stopped) -> Bool {
        while true {
            guard let line = session.dialogue.ask("Go on with it? [Y/n] ").line else { throw Stopped() }
            if line.trimmingSpaces.isEmpty { return true }
            if let answer = AnswerReader.yesNo(line) { return answer }
            session.dialogue.show("y or n, please.")
        }
    }
}
