import DocumentValues
import FieldModels
import FieldRecords

/// Parses the lines of commands that list records.
struct ListLine {
    let line: ParsedLine

    func sites() -> ListRequest {
        var request = ListRequest(.site)
        request.terms = line.arguments
        request.district = line.option("--district")
        return request
    }

    func listing() throws(UsageError) -> ShellCommand {
        switch (line.flag("--deleted"), line.flag("--changed")) {
        case (false, false): return .list(try list())
        case (true, false): return .listDeleted(try deletedKind())
        case (_, true):
            guard !line.flag("--deleted"), !isNarrowed, line.arguments.isEmpty else {
                throw UsageError("--changed takes no kind and no other option.", hint: "Use: list --changed")
            }
            return .listChanged
        }
    }

    private func list() throws(UsageError) -> ListRequest {
        let filters = try ListFilters(line)
        var request = ListRequest(
            try filters.kind.map { text throws(UsageError) in try line.kind(text) } ?? .inspection)
        request.status = try filters.text("status")
        request.site = try filters.text("site")
        request.district = try filters.text("district")
        request.mineOnly = line.flag("--mine")
        (request.since, request.until) = (try filters.text("since"), try filters.text("until"))
        request.form = try filters.text("form")
        request.score = try filters.score(of: request.kind)
        request.sort = try filters.sort(of: request.kind)
        if request.form != nil, request.kind != .response, request.kind != .inspection {
            throw UsageError("A \(request.kind.rawValue) answers no form.")
        }
        if let status = request.status {
            let known = try statuses(of: request.kind)
            request.status = try CommandParser.choose(
                status, among: known, what: "status", hint: known.joined(separator: ", "))
        }
        return request
    }

    private var isNarrowed: Bool {
        line.flag("--mine") || line.arguments.contains { ListFilters.Term($0) != nil }
            || ListFilters.options.contains { line.option("--\($0)") != nil }
    }

    private func deletedKind() throws(UsageError) -> RecordKind? {
        guard !isNarrowed else {
            throw UsageError("--deleted takes a kind and no other option.", hint: "Use: list sites --deleted")
        }
        return try line.arguments.first.map { text throws(UsageError) in try line.kind(text) }
    }

    private func statuses(of kind: RecordKind) throws(UsageError) -> [String] {
        switch kind {
        case .inspection: return Inspection.Status.allCases.map(\.rawValue)
        case .assignment: return Assignment.Status.allCases.map(\.rawValue)
        case .response: return ResponseStage.allCases.map(\.rawValue) + ResponseStage.otherNames.map(\.name)
        case .site, .finding, .form: throw UsageError("A \(kind.rawValue) has no status.")
        }
    }
}
