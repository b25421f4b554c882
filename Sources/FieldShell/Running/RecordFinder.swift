import DocumentStore
import FieldModels
import FieldRecords
import Foundation

/// Finds the record that a person means: by its number in the last list, by its id or a beginning of it, or a site by
/// words of its name.
struct RecordFinder {
    let session: ShellSession

    func find(_ text: String, among kinds: [RecordKind]) throws -> RecordReference {
        if let number = Int(text), session.listing.indices.contains(number - 1) {
            let reference = session.listing[number - 1]
            if kinds.contains(reference.kind) { return reference }
            throw UsageError("Number \(number) is a \(reference.kind.rawValue), not \(Self.words(kinds)).")
        }
        let candidates = try candidates(text, kinds)
        switch candidates.count {
        case 1: return candidates[0].reference
        case 0: throw try notFound(text, kinds)
        default: return try choose(text, candidates)
        }
    }

    struct Candidate {
        let reference: RecordReference
        let title: String
    }

    private func candidates(_ text: String, _ kinds: [RecordKind]) throws -> [Candidate] {
        let field = try session.field()
        var found: [Candidate] = []
        for kind in kinds {
            let ids = try Self.ids(matching: text, kind, in: field.collection(of: kind))
            if ids.count == 1, ids[0] == text || ids[0] == "\(kind.rawValue)-\(text)" {
                return [Candidate(reference: RecordReference(kind, ids[0]), title: "")]
            }
            found += try ids.map { id in
                Candidate(reference: RecordReference(kind, id), title: try Self.title(kind, id, field))
            }
        }
        if found.isEmpty, kinds.contains(.site) { found = try sites(with: text, field) }
        return found
    }

    /// The id itself, or else those that begin so.
    private static func ids(matching text: String, _ kind: RecordKind, in collection: Collection) throws -> [String] {
        guard !text.isEmpty else { return [] }
        for id in [text, "\(kind.rawValue)-\(text)"] where try collection.document(id: id) != nil { return [id] }
        let limit = ShellLimits.choices + 1
        return try [text, "\(kind.rawValue)-\(text)"].flatMap { beginning in
            try collection.documentIDs(after: beginning, limit: limit).filter { $0.hasPrefix(beginning) }
        }
    }

    private func sites(with text: String, _ field: FieldDatabase) throws -> [Candidate] {
        let words = text.searchable.split(separator: " ")
        return try field.sites.all().records.filter { $0.matches(words) }
            .map { Candidate(reference: RecordReference(.site, $0.id), title: "\($0.name), \($0.address.line)") }
    }

    private func choose(_ text: String, _ candidates: [Candidate]) throws -> RecordReference {
        let names = candidates.map { "\($0.reference.shortID)  \($0.title)" }
        guard session.canAsk, names.count <= ShellLimits.choices else {
            let some = names.prefix(ShellLimits.candidates).joined(separator: "\n  ")
            throw UsageError("'\(text)' fits \(names.count) records:\n  \(some)", hint: "\nType more of it.")
        }
        session.dialogue.tell("'\(text)' fits several:")
        guard let index = try session.questions.choose("Which", from: names) else {
            throw UsageError("No record was chosen.")
        }
        return candidates[index].reference
    }

    private func notFound(_ text: String, _ kinds: [RecordKind]) throws -> any Error {
        var hint = "See them with: list"
        if kinds.contains(.site) {
            let names = try session.field().sites.all().records.map(\.name)
            let near = WordChoice.nearest(to: text.lowercased(), among: names)
            hint = near.isEmpty ? "See them with: sites" : "Did you mean \(near.joined(separator: " or "))?"
        }
        return NotFoundError(text: text, kinds: Self.words(kinds), hint: hint)
    }

    private static func words(_ kinds: [RecordKind]) -> String {
        kinds.count == RecordKind.allCases.count ? "record" : kinds.map(\.rawValue).joined(separator: " or ")
    }

    /// What can be said of a record that cannot be read, too: it can still be deleted.
    static func title(_ kind: RecordKind, _ id: String, _ field: FieldDatabase) throws -> String {
        do { return try readTitle(kind, id, field) } catch is RecordError { return "(damaged)" }
    }

    private static func readTitle(_ kind: RecordKind, _ id: String, _ field: FieldDatabase) throws -> String {
        switch kind {
        case .site: try field.sites.find(id)?.title ?? ""
        case .inspection: try field.inspections.find(id)?.title ?? ""
        case .finding: try field.findings.find(id)?.title ?? ""
        case .form: try field.forms.find(id)?.title ?? ""
        case .assignment: try field.assignments.find(id)?.title ?? ""
        }
    }
}

/// A document that is no proper record of its kind.
struct UnreadableRecord: Error, CustomStringConvertible {
    let description: String

    init(_ error: RecordError) {
        let name = "\(error.kind.rawValue) \(RecordReference.short(error.id, error.kind))"
        description =
            "The \(name) is damaged and cannot be shown: " + error.problems.map(\.description).joined(separator: "; ")
            + "."
    }
}

/// There is no such record; nothing was done.
struct NotFoundError: Error, CustomStringConvertible {
    let text: String
    let kinds: String
    let hint: String

    var description: String { "There is no \(kinds) '\(text)'. \(hint)" }
}

extension Site {
    /// Whether the name, the address or the id has all the words.
    func matches(_ words: [Substring]) -> Bool {
        let text = "\(name) \(address.line) \(id)".searchable
        return words.allSatisfy { text.contains($0) }
    }
}

extension String {
    /// For searching: as somebody types it who has no accents on the keyboard.
    var searchable: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
