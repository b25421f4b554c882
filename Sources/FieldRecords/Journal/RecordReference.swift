import DocumentValues
import FieldModels

/// A record by its kind and id.
public struct RecordReference: Sendable, Codable {
    public let kind: RecordKind
    public let id: String

    public init(_ kind: RecordKind, id: String) {
        self.kind = kind
        self.id = id
    }

    /// The id as people see it.
    public var shortID: String { Self.short(id, kind: kind) }

    /// - Parameter kind: `nil` for a document that is no record, whose id people see whole.
    public static func short(_ id: String, kind: RecordKind?) -> String { kind?.shortID(of: id) ?? id }
}

extension RecordReference: Hashable {
    /// Ids are compared by their bytes: those that look alike are two records.
    public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind && left.id.isExactly(right.id) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(Name(id))
    }
}
