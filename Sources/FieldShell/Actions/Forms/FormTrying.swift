import DocumentValues
import FieldForms
import FieldRecords
import FormEntry
import FormExchange
import FormLogic
import Foundation

/// Asks the questions of a form as its author will see them asked, and keeps nothing.
struct FormTrying {
    let session: ShellSession

    /// A form and the tables in which it looks up rows.
    private struct Subject {
        let form: Form
        let instances: FormInstances
        /// Where its files are; `nil` for a form of the folder.
        let folder: URL?
    }

    /// - Parameters:
    ///   - text: a form of the folder, or the path of a file.
    ///   - options: how the file is read.
    /// - Returns: the calculated and given answers.
    /// - Throws: `UsageError` for a form with errors.
    func run(_ text: String, options: FormSource.Options) throws -> FormOutput {
        let subject = try subject(text, options: options)
        let state = state(of: subject)
        let (_, conversation) = try FormFilling(session: session).run(
            FormTrial(state: state, folder: subject.folder), form: subject.form, language: subject.form.language)
        let answers = conversation.state.record.answers()
        return FormOutput(lines: ["Nothing of this is kept: the form was only tried."], objects: [answers])
    }

    private func subject(_ text: String, options: FormSource.Options) throws -> Subject {
        let path = HomeFolder.expanding(text)
        guard FileManager.default.fileExists(atPath: path) else {
            let loaded = try FormLibrary(in: session.field()).load(try FormNaming(session: session).name(text))
            return Subject(
                form: loaded.form, instances: try loaded.instances(language: loaded.form.language), folder: nil)
        }
        let source = try FormSource.read(path, options: options)
        guard !source.findings.hasErrors else {
            throw UsageError("The form has errors.", hint: "See them with: form check \(text)")
        }
        var instances = FormInstances(
            lists: source.form.lists, language: source.form.language, fallback: source.form.language)
        for file in source.form.files where file.kind != .media {
            guard let bytes = source.files[file.name] else { continue }
            instances[file.instanceName] = try FileInstance.read(bytes, file: file)
        }
        let folder =
            options.media.map { URL(fileURLWithPath: $0) } ?? URL(fileURLWithPath: path).deletingLastPathComponent()
        return Subject(form: source.form, instances: instances, folder: folder)
    }

    private func state(of subject: Subject) -> FormState {
        let program = FormProgram(subject.form)
        let environment = session.environment
        let functions = FunctionState(
            conversions: Conversions(zone: environment.formZone), now: environment.now().secondsSince1970 * 1000,
            language: subject.form.language, random: FormRandom(seed: UInt64.random(in: .min ... .max)))
        let evaluator = FormEvaluator(
            program: program, record: Record(program.outline), instances: subject.instances, state: functions,
            properties: ["username": environment.variables["USER"] ?? "", "deviceid": "fieldbook:trial"])
        return FormState.new(evaluator: evaluator, graph: FormGraph(program)).state
    }
}
