import DocumentValues
import FieldModels

/// What a table's column `other` has of a record: the members that this program does not read, such as those of a newer
/// version, and the members that it reads and that have no column. No member of a record is in no column.
struct OtherMembers<Record: FieldRecord> {
    /// A column for a part of a member.
    private struct Part {
        let name: Name
        let column: Column<Record>
    }

    /// Members that are read.
    private let uncovered: Set<Name>
    /// By their members.
    private let parts: [Name: [Part]]

    init(besides columns: [Column<Record>]) {
        let known = (RecordEnvelope.Key.names + Record.Key.names).map { Name($0) }
        let elsewhere = Set(Record.kind.membersWithoutCell.map { Name($0) })
        var whole = elsewhere
        var parts: [Name: [Part]] = [:]
        for column in columns {
            guard let path = column.cell?.path, let first = path.first.map({ Name($0) }) else { continue }
            if path.count == 1 { whole.insert(first) }
            guard path.count > 1, !elsewhere.contains(first) else { continue }
            parts[first, default: []].append(Part(name: Name(path[1]), column: column))
        }
        self.parts = parts
        uncovered = Set(known).subtracting(whole).subtracting(parts.keys)
    }

    func of(_ cells: RecordCells<Record>) -> JSONObject {
        let unread = cells.record.envelope.rest.members
        let unreadNames = Set(unread.map { Name($0.key) })
        let read = cells.record.object.members.filter { !unreadNames.contains(Name($0.key)) }
        return JSONObject(members: unread + read.compactMap { rest(of: $0, in: cells) })
    }

    /// What the columns do not have of a member that was read.
    private func rest(of member: JSONObject.Member, in cells: RecordCells<Record>) -> JSONObject.Member? {
        let name = Name(member.key)
        if uncovered.contains(name) { return member }
        guard let parts = parts[name], let inner = member.value.objectValue else { return nil }
        // A part that cannot be read has an empty cell.
        let shown = Set(parts.filter { $0.column.value(cells) != nil }.map(\.name))
        let rest = inner.filter { !shown.contains(Name($0)) }
        return rest.isEmpty ? nil : JSONObject.Member(key: member.key, value: .object(rest))
    }
}

extension RecordKind {
    /// Members that a table has in another form than a cell, or not at all.
    fileprivate var membersWithoutCell: [String] {
        // A table has records of one kind; an import writes them with its own version.
        let common = [RecordEnvelope.Key.type, .schema].map(\.rawValue)
        switch self {
        case .site, .assignment, .response: return common
        // Each answer has a column, or all others have one; the files of photos come with the lines of JSON.
        case .inspection: return common + [Inspection.Key.answers, .photos].map(\.rawValue)
        case .finding: return common + [Finding.Key.photos.rawValue]
        // Forms are imported from lines of JSON alone.
        case .form: return common + FormDefinition.Key.names
        }
    }
}
