import DocumentValues
import FieldModels
import FieldRecords

/// Records of several kinds under headings, numbered through, to refer to.
public struct RecordGroups: Sendable, Hashable {
    public struct Group: Sendable, Hashable {
        public let title: String
        public let columns: [String]
        public let rows: [Listing.Row]
    }

    public var groups: [Group] = []
    /// Sentences behind them.
    public var notes: [String] = []
    /// The text for a list without any records.
    public let empty: String

    init(empty: String) { self.empty = empty }

    var references: [RecordReference] { groups.flatMap { $0.rows.map(\.reference) } }

    /// A group without rows is none.
    mutating func add(_ title: String, columns: [String], rows: [Listing.Row]) {
        if !rows.isEmpty { groups.append(Group(title: title, columns: columns, rows: rows)) }
    }
}
