import DocumentValues
import FieldForms
import FormExchange
import FormLogic

/// A form's file with its findings, for people and for programs.
struct FormFileReport {
    /// `{"form":…,"version":…,"questions":…}`, where the file could be read. `hidden` has the numbers of errors and of warnings
    /// beyond those that are listed, where there are more.
    private(set) var head = JSONObject()
    private(set) var errors: [JSONObject] = []
    private(set) var warnings: [JSONObject] = []
    /// A line for each finding.
    private(set) var lines: [String] = []

    /// Of a file that was read.
    init(_ source: FormSource) {
        head = [
            "form": .string(source.form.id.text), "version": .string(source.form.version),
            "questions": .int(source.form.questionCount),
        ]
        let shown = source.findings.shown
        lines = FindingLines(file: source.file, findings: shown).lines
        let hidden = source.findings.hidden
        if let text = hidden.text {
            lines.append("\(source.file.printableLine): and \(text)")
            head["hidden"] = .object(["errors": .int(hidden.errors), "warnings": .int(hidden.warnings)])
        }
        for finding in shown {
            let object = Self.object(of: finding, in: source)
            switch finding.severity {
            case .error: errors.append(object)
            case .warning: warnings.append(object)
            }
        }
    }

    /// Of a file of which no form can be made.
    init(unreadable error: any Error, file: String) {
        let text = ErrorText.text(error)
        lines = [text.printableLine]
        var object: JSONObject = ["file": .string(file)]
        if let line = (error as? FormFileError)?.line { object["line"] = .int(line) }
        object["row"] = object["line"]
        object["severity"] = .string(FindingSeverity.error.rawValue)
        object["code"] = .string(FindingCode.unreadable.rawValue)
        object["message"] = .string(text)
        errors = [object]
    }

    mutating func addError(_ message: String, row: Int? = nil) {
        errors.append(Self.object(message: message, row: row))
        lines.append(message)
    }

    mutating func addWarning(_ message: String, row: Int? = nil) {
        warnings.append(Self.object(message: message, row: row))
        lines.append(message)
    }

    /// The members of one that was read; `errors` are there only if there are some.
    var object: JSONObject {
        var object = head
        object["warnings"] = .array(warnings.map { .object($0) })
        if !errors.isEmpty { object["errors"] = .array(errors.map { .object($0) }) }
        return object
    }

    private static func object(message: String, row: Int?) -> JSONObject {
        var object = JSONObject()
        object["row"] = row.map { .int($0) }
        object["message"] = .string(message)
        return object
    }

    /// `sheet`, `row` and `column` are what the author knows: in a workbook the column's heading, in a text its number.
    private static func object(of finding: FormFinding, in source: FormSource) -> JSONObject {
        var object: JSONObject = ["file": .string(source.file)]
        switch finding.position {
        case .file: break
        case .text(let line, let column):
            object["row"] = .int(line)
            object["line"] = .int(line)
            object["column"] = .int(column)
        case .cell(let sheet, let row, _), .row(let sheet, let row, _):
            object["sheet"] = .string(sheet.text)
            object["row"] = .int(row)
            object["column"] = source.headings.heading(at: finding.position).map { .string($0) }
            object["cell"] = finding.position.cellName.map { .string($0) }
        }
        object["severity"] = .string(finding.severity.rawValue)
        object["code"] = .string(finding.code.rawValue)
        object["message"] = .string(finding.text)
        return object
    }
}
