import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Parses the lines of `export`.
struct ExportLine {
    let line: ParsedLine

    private static let ofForms = [
        "--style", "--labels", "--field", "--status", "--site", "--district", "--since", "--until",
    ]
    private static let flagsOfForms = [
        "--split-select", "--no-group-names", "--all-versions", "--spreadsheet-safe", "--mine",
    ]

    func export() throws(UsageError) -> ShellCommand {
        if line.arguments.count == 2 { return .exportResponses(try responses()) }
        let isOfForm =
            Self.ofForms.contains { line.option($0) != nil } || Self.flagsOfForms.contains { line.flag($0) }
        guard !isOfForm else {
            throw UsageError(
                "These options are for the records of one form.", hint: "Use: export FORM DIR --style STYLE")
        }
        return .export(folder: line.argument(0), format: try ImportLine(line: line).format())
    }

    private func responses() throws(UsageError) -> ResponseExportRequest {
        guard line.option("--format") == nil else {
            throw UsageError("The records of one form have a style, no format.", hint: "Use: --style jsonl")
        }
        var filter = ListRequest(.response)
        filter.status = try line.option("--status").map { text throws(UsageError) in
            let known = ResponseStage.allCases.map(\.rawValue) + ResponseStage.otherNames.map(\.name)
            return try CommandParser.choose(text, among: known, what: "status", hint: known.joined(separator: ", "))
        }
        (filter.site, filter.district) = (line.option("--site"), line.option("--district"))
        (filter.since, filter.until) = (line.option("--since"), line.option("--until"))
        filter.mineOnly = line.flag("--mine")
        var request = ResponseExportRequest(form: line.argument(0), folder: line.argument(1), filter: filter)
        request.options = try options()
        return request
    }

    private func options() throws(UsageError) -> ExportOptions {
        var options = ExportOptions()
        if let typed = line.option("--style") {
            let known = ExportStyle.allCases.map(\.rawValue)
            let name = try CommandParser.choose(typed, among: known, what: "style", hint: known.joined(separator: ", "))
            options.style = ExportStyle(rawValue: name) ?? .central
        }
        options.language = line.option("--labels")
        options.splitsSelects = line.flag("--split-select")
        options.namesGroups = !line.flag("--no-group-names")
        options.hasAllVersions = line.flag("--all-versions")
        options.isSpreadsheetSafe = line.flag("--spreadsheet-safe")
        options.geoFields = (line.options["--field"] ?? []).map { Name($0) }
        guard options.geoFields.isEmpty || options.style == .geojson else {
            throw UsageError("--field names the place of a map.", hint: "Use: --style geojson --field PATH")
        }
        return options
    }
}
