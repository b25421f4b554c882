import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// Finds the record that a person means: by its number in the last list, by its id or a beginning of it, or a site by
/// parts of its name.
struct RecordFinder {
    let session: ShellSession
    /// Also finds deleted records, and, by their numbers in the list, records that were taken away since.
    var mayBeGone = false

    func find(_ text: String, among kinds: [RecordKind]) throws -> RecordReference {
        if let number = RowNumber(text) { return try row(text, number: number, kinds: kinds) }
        // An empty name fits everything: a variable of a script that is not set.
        let candidates = text.isEmpty ? [] : try candidates(text, kinds: kinds)
        switch candidates.count {
        case 1: return candidates[0].reference
        case 0:
            let deleted = try DeletedFinder(session: session).find(text).flatMap { kinds.contains($0.kind) ? $0 : nil }
            if mayBeGone, let deleted { return deleted.reference }
            throw try notFound(text, kinds: kinds, deleted: deleted)
        default: return try choose(text, candidates: candidates)
        }
    }

    private func row(_ text: String, number: RowNumber, kinds: [RecordKind]) throws -> RecordReference {
        if let reference = session.shown.list[number] {
            if kinds.contains(reference.kind) { return try checked(reference, number: text) }
            throw UsageError(
                "\(text) is \(Self.article(reference.kind)); \(Self.text(kinds, withArticle: true)) is needed here.",
                hint: reference.kind == .assignment && kinds == [.site] ? "Begin its inspection: start \(text)" : nil)
        }
        let field = try session.field()
        let ids = kinds.map { RecordReference($0, id: "\($0.rawValue)-\(text)") }
        let present = try ids.filter { try field.collection(of: $0.kind).document(id: $0.id) != nil }
        // A person who types a number has a list in mind, perhaps one of yesterday: it is never taken for an id.
        let whole = present.isEmpty ? "" : " The record with this id: \(present.map(\.id).joined(separator: ", "))."
        let list = session.shown.list
        guard list.rows == 0 else { throw UnknownNumber.inLastList(text, of: list, note: whole) }
        guard session.isShell else {
            throw UsageError(
                "No \(Self.text(kinds)) has the id '\(text)'; the numbers of a list count in the shell only.",
                hint: "Name the record by its id.\(whole)")
        }
        throw UsageError(
            "No list was shown yet that could have a number '\(text)'.",
            hint: "Lists: today, list, sites\(whole.isEmpty ? "" : ".")\(whole)")
    }

    /// A sync may have taken the record since the list was shown.
    private func checked(_ reference: RecordReference, number: String) throws -> RecordReference {
        guard !mayBeGone, try !session.field().store.isThere(reference.kind, id: reference.id) else { return reference }
        if let deleted = try DeletedFinder(session: session).find(number) {
            throw UsageError(
                "Number \(number) of the last list, the \(deleted.line), was \(deleted.how).",
                hint: "See it: show \(number). Bring it back: undo \(number)")
        }
        throw UsageError(
            "Number \(number) of the last list, the \(reference.kind.rawValue) \(reference.shortID), is no longer here.",
            hint: "List again: \(reference.kind == .site ? "sites" : "list \(reference.kind.plural)")")
    }

    struct Candidate {
        let reference: RecordReference
        let title: String
    }

    private func candidates(_ text: String, kinds: [RecordKind]) throws -> [Candidate] {
        let field = try session.field()
        let whole = try references(kinds) { try Self.ids(text, kind: $0, in: field.collection(of: $0)) }
        let references =
            try whole.isEmpty
            ? references(kinds) { try Self.ids(beginningWith: text, $0, in: field.collection(of: $0)) } : whole
        var found = try references.map { reference in
            Candidate(reference: reference, title: try Self.title(reference.kind, id: reference.id, field: field))
        }
        guard found.isEmpty, kinds.contains(.site) else { return found }
        found = try sites(with: text, field)
        if found.count > 1, let named = try site(named: text, among: found, field) { return [named] }
        return found
    }

    private func references(
        _ kinds: [RecordKind], ids: (RecordKind) throws -> [String]
    ) throws -> [RecordReference] {
        try kinds.flatMap { kind in try ids(kind).map { RecordReference(kind, id: $0) } }
    }

    /// The id itself, with or without the kind in front.
    private static func ids(_ text: String, kind: RecordKind, in collection: Collection) throws -> [String] {
        guard !text.isEmpty else { return [] }
        return try [text, "\(kind.rawValue)-\(text)"].first { try collection.document(id: $0) != nil }.map { [$0] }
            ?? []
    }

    private static func ids(
        beginningWith text: String, _ kind: RecordKind, in collection: Collection
    ) throws -> [String] {
        guard !text.isEmpty else { return [] }
        return try [text, "\(kind.rawValue)-\(text)"].flatMap { try ids(beginningWith: $0, in: collection) }
    }

    /// Goes through all ids that begin so: those that do not fit may be many, and come first.
    private static func ids(beginningWith beginning: String, in collection: Collection) throws -> [String] {
        let limit = ShellLimits.choices + 1
        var found: [String] = []
        var last = beginning
        while found.count < limit {
            let page = try collection.documentIDs(after: last, limit: ShellLimits.idsAtOnce)
            found += page.filter { IDBeginning(beginning).abbreviates($0) }
            guard let end = page.last, end.hasExactPrefix(beginning) else { break }
            last = end
        }
        return Array(found.prefix(limit))
    }

    private func sites(with text: String, _ field: FieldDatabase) throws -> [Candidate] {
        let terms = text.searchable.split(separator: " ")
        return try field.sites.listed(mayHave: terms).records.filter { $0.matches(terms, id: "") }
            .sorted { $0.id.isExactlyBefore($1.id) }
            .map { site in
                let title = [site.name, site.address].filter { !$0.isEmpty }.joined(separator: ", ")
                return Candidate(reference: RecordReference(.site, id: site.id), title: title)
            }
    }

    /// A whole name that others begin with cannot be typed further.
    private func site(named text: String, among found: [Candidate], _ field: FieldDatabase) throws -> Candidate? {
        let named = try found.filter { candidate in
            guard candidate.reference.kind == .site else { return false }
            return try field.sites.findReadable(candidate.reference.id)?.name.searchable == text.searchable
        }
        return named.count == 1 ? named[0] : nil
    }

    private func choose(_ text: String, candidates: [Candidate]) throws -> RecordReference {
        let names = candidates.map { "\($0.reference.shortID)  \($0.title)" }
        guard session.canAsk, names.count <= ShellLimits.choices else {
            let some = names.prefix(ShellLimits.candidates).joined(separator: "\n  ")
            throw UsageError("'\(text)' fits \(names.count) records:\n  \(some)", hint: "\nType more of it, or its id.")
        }
        session.dialogue.show("'\(text)' fits several:")
        guard let index = try session.questions.choose("Which (Enter: none)", from: names) else {
            throw UsageError("No record was chosen.")
        }
        return candidates[index].reference
    }

    private func notFound(_ text: String, kinds: [RecordKind], deleted: DeletedRecord?) throws -> any Error {
        if let deleted {
            let id = deleted.reference.shortID
            let hint = "The \(deleted.line), was \(deleted.how). See it: show \(id). Bring it back: undo \(id)"
            return NotFoundError(text: text, kinds: Self.text(kinds), hint: hint)
        }
        var hint = "Lists: list, sites, list findings"
        if kinds.contains(.site) {
            let sites = try session.field().sites.listed(as: ListedSite.self).records
            let names = sites.sorted { $0.id.isExactlyBefore($1.id) }.map(\.name)
            let near = ChoiceMatch.nearest(to: text.lowercased(), among: names)
            hint = near.isEmpty ? hint : "Did you mean \(near.joined(separator: " or "))?"
        }
        return NotFoundError(text: text, kinds: Self.text(kinds), hint: hint)
    }

    private static func text(_ kinds: [RecordKind], withArticle: Bool = false) -> String {
        if kinds.count == RecordKind.allCases.count { return withArticle ? "a record" : "record" }
        return kinds.map { withArticle ? article($0) : $0.rawValue }.joined(separator: " or ")
    }

    private static func article(_ kind: RecordKind) -> String {
        switch kind {
        case .inspection, .assignment: "an \(kind.rawValue)"
        case .site, .finding, .form, .response: "a \(kind.rawValue)"
        }
    }

    /// The title, also for a record that cannot be read: it can still be deleted.
    static func title(_ kind: RecordKind, id: String, field: FieldDatabase) throws -> String {
        do { return try readTitle(kind, id: id, field: field) } catch is RecordError { return "(damaged)" }
    }

    private static func readTitle(_ kind: RecordKind, id: String, field: FieldDatabase) throws -> String {
        switch kind {
        case .site: try field.sites.find(id)?.title ?? ""
        case .inspection: try field.inspections.find(id)?.title ?? ""
        case .finding: try field.findings.find(id)?.title ?? ""
        case .form: try field.forms.findReadable(id)?.title ?? ""
        case .assignment: try field.assignments.find(id)?.title ?? ""
        case .response: try field.responses.find(id)?.title ?? ""
        }
    }
}
