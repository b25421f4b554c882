import DocumentValues

/// The kinds of records, each with its collection in the scope `field`.
public enum RecordKind: String, Sendable, Hashable, CaseIterable, Codable {
    case site
    case inspection
    case finding
    case form
    case assignment

    public static let scope = "field"

    /// The collection's name inside the scope: `sites`, `inspections` …
    public var plural: String { rawValue + "s" }

    public var collection: CollectionName {
        do {
            return try CollectionName(scope: Self.scope, name: plural)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    public init?(collection: CollectionName) {
        guard collection.scope == Self.scope,
            let kind = Self.allCases.first(where: { $0.plural == collection.name })
        else { return nil }
        self = kind
    }
}
