import DocumentValues
import FieldModels
import FieldRecords

/// Which records a line wants: as options, `--status returned`, or as terms, `status=returned score<60`.
struct ListFilters {
    /// As it was typed; `nil` for none.
    let kind: String?
    private let line: ParsedLine
    private let terms: [Term]

    static let options = ["status", "site", "district", "since", "until", "form", "score", "sort"]

    /// `score<60`: a name, a comparison and a value.
    struct Term {
        let name: String
        let comparison: ScoreRange.Comparison
        let value: String

        /// `nil` for a text without a comparison.
        init?(_ text: String) {
            let scalars = text.unicodeScalars
            guard let start = scalars.firstIndex(where: { "<>=".unicodeScalars.contains($0) }),
                start > scalars.startIndex
            else { return nil }
            let rest = String(scalars[start...])
            // The longer one first: `<=` begins with `<`.
            let found = [ScoreRange.Comparison.atMost, .atLeast, .less, .more, .equal].first {
                rest.hasExactPrefix($0.rawValue)
            }
            guard let found else { return nil }
            name = String(scalars[..<start])
            comparison = found
            value = String(decoding: rest.utf8.dropFirst(found.rawValue.utf8.count), as: UTF8.self)
        }
    }

    init(_ line: ParsedLine) throws(UsageError) {
        self.line = line
        var kinds: [String] = []
        var terms: [Term] = []
        for text in line.arguments {
            if let term = Term(text) { terms.append(term) } else { kinds.append(text) }
        }
        guard kinds.count <= 1 else {
            throw UsageError("'list' takes one kind, and terms such as status=draft.", hint: "To search: find TEXT")
        }
        kind = kinds.first
        self.terms = try terms.map { term throws(UsageError) in
            let name = try CommandParser.choose(
                term.name, among: Self.options, what: "filter", hint: Self.options.joined(separator: ", "))
            guard term.comparison == .equal || name == "score" else {
                throw UsageError("\(name) is compared by = only.", hint: "Days have since= and until=.")
            }
            return Term(name: name, comparison: term.comparison, value: term.value)
        }
    }

    func text(_ name: String) throws(UsageError) -> String? {
        let values = terms.filter { $0.name == name }.map(\.value) + [line.option("--\(name)")].compactMap(\.self)
        guard values.count <= 1 else { throw UsageError("The filter \(name) is there twice.") }
        return values.first
    }

    func score(of kind: RecordKind) throws(UsageError) -> ScoreRange? {
        let terms = terms.filter { $0.name == "score" }
        guard let term = terms.first else { return nil }
        guard kind == .inspection else { throw UsageError("A \(kind.rawValue) has no score.") }
        guard terms.count == 1, let value = Int(term.value) else {
            throw UsageError("A score is one number: score<60, score>=80.")
        }
        return ScoreRange(term.comparison, value: value)
    }

    /// `sort=site`, or `sort=-site` for the other way round.
    func sort(of kind: RecordKind) throws(UsageError) -> ListRequest.Sort? {
        guard let typed = try text("sort") else { return nil }
        let known = ListRequest.Sort.columns(of: kind).map(\.rawValue)
        guard !known.isEmpty else { throw UsageError("A list of \(kind.plural) has one order only.") }
        let isReversed = typed.hasExactPrefix("-")
        let text = isReversed ? String(decoding: typed.utf8.dropFirst(), as: UTF8.self) : typed
        let name = try CommandParser.choose(text, among: known, what: "order", hint: known.joined(separator: ", "))
        guard let column = ListRequest.Sort.Column(rawValue: name) else { return nil }
        return ListRequest.Sort(column: column, isReversed: isReversed)
    }
}

extension ListFilters.Term {
    fileprivate init(name: String, comparison: ScoreRange.Comparison, value: String) {
        self.name = name
        self.comparison = comparison
        self.value = value
    }
}
