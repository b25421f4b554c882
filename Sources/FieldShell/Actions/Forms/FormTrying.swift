import DocumentValues
import FieldForms
import FieldRecords
import FormEntry
import FormLogic
import Foundation

/// Asks the questions of a form as its author will see them asked, and keeps nothing.
struct FormTrying {
    let session: ShellSession

    /// - Returns: the given and calculated answers.
    /// - Throws: `UsageError` for a form with errors.
    func run(_ request: FillRequest) throws -> FormOutput {
        let tried = TriedForm(session: session)
        let loaded = try tried.load(request.subject)
        let setting = try tried.setting(language: request.language)
        let evaluator = try setting.evaluator(for: loaded)
        let state = FormState.new(evaluator: evaluator, graph: FormGraph(evaluator.program)).state
        let keeper = TrialKeeper(
            state: state, folder: folder(request.subject), viewer: PhotoViewer(session.environment.variables))
        let (_, conversation) = try FormFilling(session: session).run(
            keeper, form: loaded.form, language: setting.language ?? loaded.form.language)
        let answers = conversation.state.record.answers()
        return FormOutput(lines: ["Nothing of this is kept: the form was only tried."], objects: [answers])
    }

    /// Where the author's files are; `nil` for a form of the folder.
    private func folder(_ subject: String) -> URL? {
        guard FormSource.isFile(subject) else { return nil }
        return URL(fileURLWithPath: HomeFolder.expanding(subject)).deletingLastPathComponent()
    }
}
