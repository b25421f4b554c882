import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormLogic

/// Fills a form, or the file of one, without saving anything.
struct FormTrial {
    let session: ShellSession

    func run(_ request: FillRequest) throws -> FormOutput {
        guard request.isScripted else { return try FormTrying(session: session).run(request) }
        let form = try TriedForm(session: session).load(request.subject)
        let setting = try TriedForm(session: session).setting(language: request.language)
        let evaluator = try setting.evaluator(for: form)
        let state = FormState.new(evaluator: evaluator, graph: FormGraph(evaluator.program)).state
        let texts = FormTextLanguage(chosen: setting.language ?? form.form.language, fallback: form.form.language)
        var filler = FormFiller(state, language: texts, now: session.now) { path, _ in
            AnsweredFile(name: Name(path.split(atByte: "/").last.map(String.init) ?? path))
        }
        let input = FillInput(session: session)
        if let file = request.file { filler.fill(try input.answers(file)) }
        let steps = try request.steps + (request.readsLines ? FillSteps.read(input.lines()) : [])
        FillSteps(session: session, language: texts.chosen).take(steps, by: &filler)
        filler.notices.forEach(session.dialogue.show)
        var problems = filler.problems
        var last = filler.state
        if request.finalises {
            _ = last.finalise(droppingSurplus: request.surplus == .drop, now: session.now)
            let failures = last.failures()
            problems = FillMessages(state: last, language: texts).problems(failures, besides: problems)
        }
        let response = FormSession.trial(of: form, state: last, setting: setting, isFinal: request.finalises)
        return FillReport(session: session, response: response, isStored: false, isTrial: true)
            .output(problems: problems)
    }
}

/// A form of the folder, or a file that was never taken in.
struct TriedForm {
    let session: ShellSession

    /// - Throws: `UsageError` with the errors of a file.
    func load(_ text: String) throws -> LoadedForm {
        guard FormSource.isFile(text) else {
            return try FormLibrary(in: session.field()).load(try FormNaming(session: session).name(text))
        }
        let source = try FormSource.read(text)
        guard !source.findings.hasErrors else {
            FormFileReport(source).lines.forEach(session.dialogue.show)
            throw UsageError("The form has errors.", hint: "See all of them: form check \(text)")
        }
        return source.loaded
    }

    /// A form in a file needs no folder of records: its author may have none.
    func setting(language: String?) throws -> FormSetting {
        if session.hasFolder { return try session.formSetting(language: language) }
        let moment = session.environment.now()
        return FormSetting(
            now: { moment.secondsSince1970 * 1000 }, zone: session.environment.formZone,
            language: language.map { Name($0) }, author: Author(name: nil, moment: moment), seed: 1)
    }
}

extension ShellSession {
    /// Whether there is a folder of records.
    var hasFolder: Bool { folder.isInitialized }
}
