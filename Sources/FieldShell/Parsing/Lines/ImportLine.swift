import DocumentValues
import FieldModels
import FieldRecords

/// Parses the lines of `import` and `export`.
struct ImportLine {
    let line: ParsedLine

    func importFiles() throws(UsageError) -> ImportRequest {
        var request = ImportRequest(paths: line.arguments, report: line.option("--report"))
        request.options.isPreview = line.flag("--preview")
        request.options.isStrict = line.flag("--strict")
        if let text = line.option("--as") {
            let names = ImportTable.allCases.map(\.name)
            let name = try CommandParser.choose(
                text, among: names, what: "kind of table", hint: names.joined(separator: ", "))
            request.options.table = ImportTable.allCases.first { $0.name.isExactly(name) }
        }
        for text in line.options["--map"] ?? [] {
            guard let choice = FieldValue(parsing: text) else {
                throw UsageError("'\(text)' is no FIELD=COLUMN.", hint: "Use: --map address=\"Street and number\"")
            }
            request.options.columns.append(ColumnChoice(field: choice.field, column: choice.text))
        }
        return request
    }

    func format() throws(UsageError) -> RecordExport.Format {
        guard let text = line.option("--format") else { return .both }
        let name = try CommandParser.choose(text, among: RecordExport.Format.allCases.map(\.rawValue), what: "format")
        return RecordExport.Format(rawValue: name) ?? .both
    }
}
