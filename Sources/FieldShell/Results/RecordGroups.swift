import DocumentValues
import FieldModels
import FieldRecords

/// Records of several kinds under headings, numbered through, to refer to.
public struct RecordGroups: Sendable {
    /// A group, or a part of one.
    public struct Group: Sendable {
        public let title: String
        public let columns: [String]
        public internal(set) var rows: [Listing.Row]
    }

    /// Those beside each other with the same title are parts of one group.
    var groups: Portions<Group>
    /// Sentences behind them.
    public var notes: [String] = []
    /// The text for a list without any records.
    public let empty: String

    /// - Parameter groups: read as they are shown.
    init(empty: String, groups: Portions<Group> = Portions([])) {
        self.empty = empty
        self.groups = groups
        added = groups.first
    }

    private var added: [Group]

    /// Adds records that are in memory. A group without rows is none.
    mutating func add(_ title: String, columns: [String], rows: [Listing.Row]) {
        guard !rows.isEmpty else { return }
        for start in stride(from: 0, to: rows.count, by: ShellLimits.rowsAtOnce) {
            let part = rows[start..<min(start + ShellLimits.rowsAtOnce, rows.count)]
            added.append(Group(title: title, columns: columns, rows: Array(part)))
        }
        let isShort = added.reduce(0) { $0 + $1.rows.count } <= ShellLimits.rowsAtOnce
        groups = Portions(added[...], by: isShort ? added.count : 1)
    }
}
