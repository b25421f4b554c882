import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

@testable import FieldForms

/// A form that is filled with a script's answers, and everything that it holds and shows, a line each.
struct ScriptedFilling {
    private static let now: Int64 = 1_772_619_307_000
    private(set) var filler: FormFiller
    private let form: Form

    /// - Parameter lastSaved: answers of the record that was saved before.
    init(_ form: Form, lastSaved: JSONObject? = nil) throws {
        self.form = form
        let loaded = LoadedForm(
            form: form, digest: form.digest, state: .open, current: form.version, files: [:], missing: [])
        let setting = FormSetting(
            now: { Self.now }, zone: FixedFormZone(seconds: 3600),
            author: Author(name: "mara", moment: Timestamp(secondsSince1970: Self.now / 1000)), seed: 1,
            properties: ["username": "mara", "deviceid": "fieldbook:1"])
        let evaluator = try setting.evaluator(for: loaded, lastSaved: lastSaved)
        let state = FormState.new(evaluator: evaluator, graph: FormGraph(evaluator.program)).state
        // The pictures need not be there.
        filler = FormFiller(
            state, language: FormTextLanguage(chosen: form.language, fallback: form.language), now: Self.now
        ) { path, _ in AnsweredFile(name: Name(path)) }
    }

    mutating func fill(_ answers: JSONObject) { filler.fill(answers) }

    var problems: [String] { filler.problems.map(\.line) }

    /// What keeps the record from being finalised now.
    func failures(in language: Name? = nil) -> [String] {
        let texts = FormTextLanguage(chosen: language ?? form.language, fallback: form.language)
        var state = filler.state
        return state.failures().map { FillMessages(state: state, language: texts).problem($0).line }
    }

    func value(_ path: String) -> String? {
        node(path).map { filler.state.record.answer(of: $0)?.text ?? "" }
    }

    func isRelevant(_ path: String) -> Bool? { node(path).map { filler.state.record[$0].isRelevant } }

    private func node(_ path: String) -> Record.ID? {
        filler.state.record.allNodes.first { filler.state.record.numberedPath(of: $0) == path }
    }

    /// All of it in one of the form's languages.
    func lines(in language: Name) -> [String] {
        let texts = FormTextLanguage(chosen: language, fallback: form.language)
        var state = filler.state
        state.speak(texts, lists: form.lists)
        var lines = state.record.allNodes.dropFirst().flatMap { Self.lines(of: $0, in: &state, texts: texts) }
        lines += problems.map { "problem \($0)" } + failures(in: language).map { "failure \($0)" }
        lines += ["name \(state.instanceName() ?? "-")", "surplus \(state.surplus.count)"]
        let reports = state.allReports.map { report in
            "report \(state.record.numberedPath(of: report.node)) \(report.rule) \(report.report)"
        }
        return lines + reports.sorted()
    }

    private static func lines(of node: Record.ID, in state: inout FormState, texts: FormTextLanguage) -> [String] {
        let record = state.record
        let formNode = record.outline[record[node].formNode].node
        var evaluator = state.evaluator
        let shown = [("label", formNode.label), ("hint", formNode.hint)].compactMap { kind, text in
            text.map { text in
                let reading = evaluator.styled(text, owner: record[node].formNode, at: .record(node), in: texts)
                return "\(kind) \(reading.plain)"
            }
        }
        let choices = evaluator.choices(of: record[node].formNode, at: .record(node))
            .map { "choice \($0.name) \($0.label ?? "-")" }
        let rules = [
            "\(formNode.kind.typeName)", record[node].isRelevant ? "shown" : "hidden",
            state.isRequired(node) ? "required" : "optional", state.isReadOnly(node) ? "read-only" : "open",
            "value \(record.answer(of: node)?.json.description ?? "-")",
        ]
        return (rules + shown + choices).map { "\(record.numberedPath(of: node)): \($0)" }
    }
}
