import DocumentValues
import FieldModels
import FieldRecords

/// A record by its kind and id.
public struct RecordReference: Sendable, Codable {
    public let kind: RecordKind
    public let id: String

    public init(_ kind: RecordKind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    /// The id as people see it: without the kind in front, unless that would leave a number, which would be read as
    /// the number of a row.
    var shortID: String { Self.short(id, kind) }

    static func short(_ id: String, _ kind: RecordKind) -> String {
        let prefix = kind.rawValue + "-"
        guard id.utf8.starts(with: prefix.utf8) else { return id }
        let rest = id.utf8.dropFirst(prefix.utf8.count)
        let isNumber = rest.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? id : String(decoding: rest, as: UTF8.self)
    }
}

extension RecordReference: Hashable {
    /// Ids are compared by their bytes: those that look alike are two records.
    public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind && left.id.isExactly(right.id) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(Name(id))
    }
}
