import DocumentValues

/// Parses the lines of `form`.
struct FormLine {
    let line: ParsedLine

    func form() throws(UsageError) -> FormRequest {
        let verb: FormVerb = try line.action(line.argument(0))
        try checkCount(verb)
        switch verb {
        case .importFile: return .importFile(file(line.argument(1)))
        case .check: return .check(paths: Array(line.arguments.dropFirst()), file(line.argument(1)))
        case .show: return .show(form: line.argument(1), asYAML: line.flag("--yaml"))
        case .list: return .list
        case .export:
            return .export(
                FormExportRequest(
                    form: line.argument(1), format: try format(), output: line.option("--output")))
        case .evaluate: return .evaluate(try FillLine(line: line).evaluation())
        case .attempt: return .attempt(try FillLine(line: line).fill(line.argument(1), isTrial: true))
        }
    }

    private func checkCount(_ verb: FormVerb) throws(UsageError) {
        let count = line.arguments.count - 1
        guard !verb.arguments.contains(count) else { return }
        let what = count < verb.arguments.lowerBound ? "needs more arguments" : "takes fewer arguments"
        throw UsageError("'form \(verb.rawValue)' \(what).", hint: "Use: form \(verb.usage)")
    }

    private func file(_ path: String) -> FormFileRequest {
        var request = FormFileRequest(path: path)
        request.version = line.option("--version")
        request.formID = line.option("--name")
        request.media = line.option("--media")
        request.skipsUnsupported = line.flag("--skip-unsupported")
        request.ignoresEncryption = line.flag("--ignore-encryption")
        request.isTrial = line.flag("--dry-run")
        return request
    }

    private func format() throws(UsageError) -> FormExportRequest.Format {
        let formats = FormExportRequest.Format.allCases.map(\.rawValue)
        let known = formats.joined(separator: ", ")
        guard let text = line.option("--format") else {
            throw UsageError("Say the format of the form.", hint: "Use: --format FORMAT, one of \(known)")
        }
        let name = try CommandParser.choose(text, among: formats, what: "format", hint: known)
        guard let format = FormExportRequest.Format(exactly: name) else {
            throw UsageError("There is no format '\(text)'.", hint: known)
        }
        return format
    }
}

extension FormVerb {
    fileprivate var arguments: ClosedRange<Int> {
        switch self {
        case .importFile, .show, .export, .evaluate, .attempt: 1...1
        case .check: 1...100
        case .list: 0...0
        }
    }

    fileprivate var usage: String {
        switch self {
        case .importFile: "import FILE"
        case .check: "check FILE …"
        case .show: "show FORM [--yaml]"
        case .list: "list"
        case .export: "export FORM --format FORMAT"
        case .evaluate: "evaluate FORM --answers FILE --expression E"
        case .attempt: "try FORM|FILE"
        }
    }
}
