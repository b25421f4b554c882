import DocumentValues
import FieldModels
import FieldRecords

/// Lists of records, whose rows are laid out as they are read.
extension TextRenderer {
    func lines(_ listing: Listing) throws -> Portions<String> {
        try listing.rows.map(from: ListText(self)) { text, rows in
            text.lines(of: rows, columns: listing.columns)
        } atEnd: { text in
            (text.isBegun ? [] : ["No \(listing.kind.plural)."]) + text.legend + unreadable(listing.unreadable)
        }
    }

    func lines(_ groups: RecordGroups) throws -> Portions<String> {
        try groups.groups.map(from: ListText(self)) { text, parts in
            parts.flatMap { text.lines(of: $0) }
        } atEnd: { text in
            let behind = groups.notes.map(\.printable) + text.legend
            return text.isBegun || !behind.isEmpty ? behind : [groups.empty]
        }
    }

    // MARK: Waiting records

    /// Two lines or more for each, as in the outbox.
    func lines(_ records: [QuarantinedRecord]) throws -> Portions<String> {
        guard !records.isEmpty else { return Portions(["Nothing is in quarantine."]) }
        let numbers = NumberedText(self, numbers: records.map { String($0.id) })
        return try inPortions(
            records, under: "Your edits that were never sent before their records were taken away:",
            above: "See one: quarantine show NUMBER. Bring it back: quarantine restore NUMBER"
        ) { record in
            numbers.lines(
                String(record.id), line: record.line,
                note: "since \(clock.text(record.moment)): \(record.reason.printable)")
        }
    }

    /// Two lines or more for each: the record, and the whole reason.
    func lines(_ records: [RefusedRecord]) throws -> Portions<String> {
        guard !records.isEmpty else { return Portions(["The gateway has refused nothing."]) }
        let numbers = NumberedText(self, numbers: records.map { String($0.number) })
        return try inPortions(
            records, under: "The gateway refused these; they are safe here:",
            above: "What you can do: outbox show NUMBER"
        ) { record in
            let state = record.isKept ? "; kept" : ""
            let reason = AdviceText.text(record.reason).printable
            return numbers.lines(
                String(record.number), line: record.line, note: "since \(clock.text(record.since))\(state): \(reason)")
        }
    }

    private func inPortions<Record: Sendable>(
        _ records: [Record], under heading: String, above end: String, lines: @escaping @Sendable (Record) -> [String]
    ) throws -> Portions<String> {
        try Portions(records[...], by: ShellLimits.rowsAtOnce).map(from: [heading]) { heading, records in
            defer { heading = [] }
            return heading + records.flatMap(lines)
        } atEnd: { _ in
            [end]
        }
    }

    // MARK: Conflicts

    func lines(_ rows: [ConflictRow]) throws -> Portions<String> {
        guard !rows.isEmpty else { return Portions(["There is nothing to decide."]) }
        let name = numbersRows ? "NUMBER" : "ID"
        let ways = Self.ways(rows.reduce(into: []) { $0.formUnion($1.decisions) }, name: name)
        let deleted = rows.filter { $0.decisions.contains(.deletion) }.count
        let atOnce = deleted > 1 ? ". To keep all that were deleted: conflicts take all keep" : ""
        return try Portions(rows[...], by: ShellLimits.rowsAtOnce).map(from: ConflictList(self)) { list, rows in
            list.lines(of: rows)
        } atEnd: { _ in
            ["See the values: conflicts show \(name). \(ways)\(atOnce)"]
        }
    }

    private static func ways(_ decisions: Set<ConflictRow.Decision>, name: String) -> String {
        let ways = [
            decisions.contains(.values) ? "conflicts take \(name) mine, or theirs" : nil,
            decisions.contains(.deletion) ? "conflicts take \(name) keep, or delete" : nil,
        ]
        return "Decide: " + ways.compactMap(\.self).joined(separator: ". Where it is deleted or kept: ")
    }
}
