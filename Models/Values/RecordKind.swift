import DocumentValues

/// The kinds of records, each with its collection in the scope `field`.
public enum RecordKind: String, Sendable, Hashable, CaseIterable, Codable {
    case site
    case inspection
    case finding
    case form
    case assignment
    case response

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

    /// A record's id as people see it: without the kind in front, unless that would leave a number, which would be read
    /// as the number of a row.
    public func shortID(of id: String) -> String {
        let prefix = rawValue + "-"
        guard id.utf8.starts(with: prefix.utf8) else { return id }
        let rest = id.utf8.dropFirst(prefix.utf8.count)
        let isNumber = rest.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? id : String(decoding: rest, as: UTF8.self)
    }
}
