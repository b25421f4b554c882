import DocumentValues
import FieldForms
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
        let keeper = FormRecordKeeper(record)
        let (leaving, conversation) = try run(keeper, form: record.loaded.form, language: record.texts.chosen)
        let name = (record.response.instanceName ?? conversation.form.id.text).printableLine
        let id = RecordReference.short(record.response.id, kind: .response)
        switch leaving {
        case .finalised: return "Finalised: \(name)."
        case .draft: return "Kept as draft: \(name). Go on: fill \(id)"
        case .unsaved: throw UsageError("The last answers of \(name) are not saved.", hint: "Go on: fill \(id)")
        }
    }

    func run(
        _ keeper: any FormKeeping, form: Form, language: Name?
    ) throws -> (leaving: Leaving, conversation: FormConversation) {
        let environment = session.environment
        let now = { environment.now().secondsSince1970 * 1000 }
        let conversation = FormConversation(
            form: form, state: keeper.state, marks: keeper.marks, savedAt: keeper.savedAt, zone: environment.formZone,
            now: now(), language: language)
        let driver = FormDriver(
            dialogue: try dialogue(), keeper: keeper, variables: environment.variables, now: now)
        return try driver.run(conversation)
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

extension ShellEnvironment {
    /// The zone in which forms understand times.
    var formZone: any FormZone {
        if let zone = NamedFormZone(identifier: zone.identifier) { return zone }
        return FixedFormZone(seconds: Int64(zone.secondsFromGMT()))
    }
}
