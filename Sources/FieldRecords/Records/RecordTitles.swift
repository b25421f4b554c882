import DocumentStore
import DocumentValues
import FieldModels

/// The title of a record for people, read from its content alone: `Old mill, 2026-03-04 routine`.
struct RecordTitles {
    private let sites: Collection
    /// Names of sites that are not among the records.
    private let others: [Name: String]

    init(_ store: RecordStore) {
        sites = store.sites.collection
        others = [:]
    }

    /// - Parameter documents: where sites are looked for that are not among the records.
    init(_ store: RecordStore, besides documents: [QuarantinedDocument]) {
        sites = store.sites.collection
        others = Dictionary(
            documents.filter { RecordKind(collection: $0.collection) == .site }.compactMap { document in
                JSONObject.readable(document.body)?["name"]?.stringValue.map { (Name(document.documentID), $0) }
            }, uniquingKeysWith: { $1 })
    }

    /// - Parameter deleted: where sites are looked for that are not among the records.
    init(_ store: RecordStore, besides deleted: [DeletedRecord]) {
        sites = store.sites.collection
        others = Dictionary(
            deleted.filter { $0.kind == .site }.map { (Name($0.id), $0.title) }, uniquingKeysWith: { first, _ in first }
        )
    }

    /// `nil` where the content says nothing, as that of a deletion.
    func title(of kind: RecordKind, _ body: JSONObject) throws -> String? {
        guard let title = body.title(of: kind) else { return nil }
        func text(_ key: String) -> String? { body[key]?.stringValue }
        let site = try text("site").map(siteName)
        let parts: [String?]
        switch kind {
        case .site, .form: return title.asTitle
        case .response: parts = [site, title]
        case .inspection:
            let visit = text("visit").map { Inspection.Visit(exactly: $0)?.label ?? $0 }
            parts = [site, [text("date"), visit].compactMap(\.self).joined(separator: " ")]
        case .finding: parts = [site, text("date"), text("text")]
        case .assignment: parts = [site, text("inspector"), text("due").map { "due \($0)" }]
        }
        return parts.compactMap { $0?.asTitle }.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private func siteName(_ id: String) throws -> String {
        let body = try sites.bodies(of: [id])[0].flatMap { JSONObject.readable($0.body) }
        return body?["name"]?.stringValue ?? others[Name(id)] ?? id
    }
}
