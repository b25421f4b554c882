import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormLogic

/// Evaluates one expression in a filled form.
struct FormEvaluation {
    let session: ShellSession

    func run(_ request: EvaluationRequest) throws -> FormOutput {
        let tried = TriedForm(session: session)
        let form = try tried.load(request.form)
        var setting = try tried.setting(language: nil)
        if let text = request.now {
            let now = try Self.moment(text, zone: setting.zone)
            setting.now = { now }
        }
        let evaluator = try setting.evaluator(for: form)
        let state = FormState.new(evaluator: evaluator, graph: FormGraph(evaluator.program)).state
        let texts = FormTextLanguage(chosen: form.form.language, fallback: form.form.language)
        var filler = FormFiller(state, language: texts, now: setting.now()) { path, _ in
            AnsweredFile(name: Name(path.split(atByte: "/").last.map(String.init) ?? path))
        }
        if let answers = request.answers { filler.fill(try FillInput(session: session).answers(answers)) }
        filler.problems.map(\.line).forEach(session.dialogue.show)
        return try evaluate(request, by: &filler)
    }

    private func evaluate(_ request: EvaluationRequest, by filler: inout FormFiller) throws -> FormOutput {
        let node = try request.path.map { try filler.find($0) } ?? Record.root
        var evaluator = filler.state.evaluator
        let rule: FormExpression
        do {
            rule = try evaluator.program.compile(request.expression, owner: evaluator.record[node].formNode)
        } catch {
            throw FormFillingError(.expression("\(error)"), subject: request.expression)
        }
        let (value, reports) = evaluator.value(of: rule, at: .record(node))
        let shown = EvaluatedValue(value, conversions: evaluator.state.conversions)
        var object: JSONObject = ["type": .string(shown.type), "value": shown.json, "string": .string(shown.text)]
        if !reports.isEmpty {
            object["reports"] = .array(
                reports.map { ["code": .string($0.code.rawValue), "in": .string($0.function.description)] })
        }
        let notes = reports.map { "(\($0.code.rawValue) in \($0.function.description))" }
        return FormOutput(lines: [([shown.text] + notes).joined(separator: " ")], objects: [object])
    }

    /// - Returns: milliseconds since 1970.
    private static func moment(_ text: String, zone: any FormZone) throws(UsageError) -> Int64 {
        guard let parts = try? MomentText.parse(text), let moment = Conversions(zone: zone).moment(parts) else {
            throw UsageError("'\(text)' is no time.", hint: "Use: --now 2026-03-04T13:45:00+01:00")
        }
        return moment.instant
    }
}

/// A value of an expression for programs.
private struct EvaluatedValue {
    let type: String
    let json: JSONValue
    let text: String

    init(_ value: FormValue, conversions: Conversions) {
        text = conversions.text(value)
        switch value {
        case .text(let text): (type, json) = ("string", .string(text))
        // JSON has neither NaN nor infinity: `string` says which it is.
        case .number(let number):
            type = "number"
            json = number.isFinite ? (try? JSONValue(parsing: FormNumberText.of(number))) ?? .null : .null
        case .boolean(let boolean): (type, json) = ("boolean", .bool(boolean))
        case .moment(let moment):
            type = moment.kind == .date ? "date" : "dateTime"
            json = .string(moment.kind == .date ? conversions.text(value) : conversions.wholeText(moment))
        case .time(let time): (type, json) = ("time", .string(time.text))
        }
    }
}
