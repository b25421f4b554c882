import DocumentValues
import FieldModels
import FieldRecords

/// Parses the lines of `new`.
struct NewLine {
    let line: ParsedLine

    func new() throws(UsageError) -> NewRequest {
        guard let text = line.arguments.first else { return NewRequest(.inspection) }
        var request = NewRequest(try line.kind(text))
        if request.kind == .form { throw UsageError("Forms are imported, not typed.", hint: "Use: import forms.jsonl") }
        try checkNamesOne(request.kind)
        var first = 1
        if line.arguments.count > 1, FieldValue(parsing: line.arguments[1]) == nil {
            request.owner = line.arguments[1]
            first = 2
        }
        request.values = try line.values(from: first)
        request.findings = line.options["--finding"] ?? []
        if !request.findings.isEmpty, request.kind != .inspection {
            throw UsageError("Only an inspection takes --finding.")
        }
        return request
    }

    /// `new inspection old mill`: the right position of the quotation marks depends on the kind of the record.
    private func checkNamesOne(_ kind: RecordKind) throws(UsageError) {
        let names = Array(line.arguments.dropFirst().prefix { FieldValue(parsing: $0) == nil })
        guard names.count > 1 else { return }
        let text = names.dropFirst(kind == .finding ? 1 : 0).joined(separator: " ")
        let way = kind == .finding ? "\(names[0]) text=\"\(text)\"" : "\"\(text)\""
        throw UsageError(
            "'\(names[1])' is no FIELD=VALUE.",
            hint: "Put text with spaces in quotation marks: new \(kind.rawValue) \(way)")
    }
}
