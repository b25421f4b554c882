import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormEntry
import FormLogic
import Foundation

/// Has a person answer the questions of a form, in a terminal or by lines from a pipe.
struct FormFilling {
    let session: ShellSession

    /// Fills a record of the folder until the person leaves it.
    ///
    /// - Returns: what became of it.
    /// - Throws: `UsageError` where the last answers are not on the disk.
    func run(_ record: FormSession) throws -> String {
        guard try FinishedRecord(session: session, dialogue: dialogue()).mayBeChanged(record) else {
            return "Left as it is: \((record.response.instanceName ?? record.response.form).printableLine)."
        }
        for notice in record.notices { try dialogue().show(notice) }
        try offerUpgrade(of: record)
        let district = UnknownDistrict(session: session)
        if let warning = try district.warning(about: record.response, isStored: record.savedAt != nil) {
            try dialogue().show(warning)
        }
        let keeper = FormRecordKeeper(record, of: session)
        let (leaving, conversation) = try run(keeper, form: record.loaded.form, language: record.texts.chosen)
        let name = (record.response.instanceName ?? conversation.form.id.text).printableLine
        let id = RecordReference.short(record.response.id, kind: .response)
        switch leaving {
        case .finalised:
            let warning = try district.warning(about: record.response, isStored: true)
            return ["Finalised \(id): \(name).", warning].compactMap(\.self).joined(separator: "\n")
        case .draft: return "Kept as draft: \(name). Go on: fill \(id)"
        case .untouched: return "Nothing was answered, and nothing is kept."
        case .unsaved: throw UsageError("The last answers of \(name) are not saved.", hint: "Go on: fill \(id)")
        }
    }

    func run(
        _ keeper: any FormKeeping, form: Form, language: Name?
    ) throws -> (leaving: Leaving, conversation: FormConversation) {
        let environment = session.environment
        let now = { environment.now().secondsSince1970 * 1000 }
        let conversation = FormConversation(
            form: form, state: keeper.state, marks: keeper.marks, savedAt: keeper.savedAt,
            isTrial: keeper.isTrial, zone: environment.formZone, now: now(), language: language)
        return try FormDriver(dialogue: dialogue(), keeper: keeper, now: now).run(conversation)
    }

    /// A draft stays with its version of the form unless the person wants another.
    private func offerUpgrade(of record: FormSession) throws {
        guard let newer = record.newerVersion else { return }
        let dialogue = try dialogue()
        let present = record.loaded.form.version.printableLine
        dialogue.show("This draft uses version \(present); version \(newer.printableLine) is current.")
        guard try wantsUpgrade(dialogue) else { return }
        let plan = try record.upgradePlan().plan.lines
        if plan.isEmpty { dialogue.show("  All answers stay as they are.") }
        plan.forEach { dialogue.show("  \($0.printable)") }
        let questions = Questions(dialogue: dialogue, today: session.environment.today())
        if try questions.confirm("Upgrade? y or n") { _ = try record.upgrade() }
    }

    private func wantsUpgrade(_ dialogue: any Dialogue) throws(Stopped) -> Bool {
        while true {
            guard let line = dialogue.ask("Enter continues with it, :upgrade shows what would change: ").line else {
                throw Stopped("The draft is as it was.")
            }
            switch line.trimmingSpaces {
            case "": return false
            case ":upgrade": return true
            default: dialogue.show("Enter, or :upgrade, please.")
            }
        }
    }

    /// Lines from a pipe are answers, too.
    private func dialogue() throws -> any Dialogue {
        if session.dialogue.isInteractive { return session.dialogue }
        guard !Terminal.hasInput else {
            throw UsageError("Nobody can be asked here.", hint: "Give the answers: fill FORM --from FILE")
        }
        return PipedDialogue()
    }
}
