import DocumentValues
import FormLogic

/// Reads the cells of a row into its question, group or repeat.
struct SurveyRowReader {
    private let row: TableRow<SurveyColumn>
    private let languages: SheetLanguages
    private(set) var findings: [FormFinding] = []

    init(row: TableRow<SurveyColumn>, languages: SheetLanguages) {
        self.row = row
        self.languages = languages
    }

    mutating func read(into node: inout FormNode) {
        node.sourceRow = row.number
        readTexts(into: &node)
        readRules(into: &node)
        readLists(into: &node)
        var attributes: [JSONObject.Member] = []
        for cell in row.others {
            guard case .attribute(let name) = cell.column.use else { continue }
            attributes.append(JSONObject.Member(key: name, value: .string(cell.text)))
        }
        node.rest = JSONObject(members: attributes)
    }

    private func readTexts(into node: inout FormNode) {
        node.label = row.text(.label, languages: languages)
        node.hint = row.text(.hint, languages: languages)
        node.guidanceHint = row.text(.guidanceHint, languages: languages)
        node.requiredMessage = row.text(.requiredMessage, languages: languages)
        node.constraintMessage = row.text(.constraintMessage, languages: languages)
        node.media[.image] = row.text(.image, languages: languages)
        node.media[.bigImage] = row.text(.bigImage, languages: languages)
        node.media[.audio] = row.text(.audio, languages: languages)
        node.media[.video] = row.text(.video, languages: languages)
    }

    private func readRules(into node: inout FormNode) {
        node.required = expression(.required)
        node.constraint = expression(.constraint)
        node.relevant = expression(.relevant)
        node.readOnly = expression(.readOnly)
        node.calculation = expression(.calculation)
        node.defaultValue = row[.defaultValue]
        node.choiceFilter = row[.choiceFilter]
        node.repeatCount = row[.repeatCount]
        node.saveTo = row[.saveTo]
    }

    private func expression(_ column: SurveyColumn) -> String? { row[column].map { TruthText.expression($0) } }

    private mutating func readLists(into node: inout FormNode) {
        node.appearance = row[.appearance].map { CellText.parts($0) } ?? []
        if let text = row[.trigger] {
            if let names = TriggerText.parse(text) {
                node.trigger = names
            } else {
                add(
                    .badTrigger, column: .trigger, message: "'\(text)' names no questions.",
                    hint: "Write ${name}, several with commas between.")
            }
        }
        if let text = row[.parameters] {
            if let parameters = ParameterText.parse(text) {
                node.parameters = parameters
            } else {
                add(
                    .badParameter, column: .parameters, message: "'\(text)' are no parameters.",
                    hint: "Write key=value, several with spaces between.")
            }
        }
        if let rows = row[.rows], node.parameters["rows"] == nil {
            node.parameters.append(NamedText(name: "rows", text: rows))
        }
    }

    private mutating func add(_ code: FindingCode, column: SurveyColumn, message: String, hint: String) {
        findings.append(FormFinding(code, at: row.position(column), message: message, hint: hint))
    }
}
