import DocumentValues
import FieldModels
import FieldRecords

/// Results as text for a person.
public struct TextRenderer {
    /// Cells of a line.
    let width: Int
    /// Whether rows are numbered, for a shell in which the next command can refer to them.
    let numbersRows: Bool
    /// Whether text is broken at the width, as well as tables; not for programs.
    let wraps: Bool
    let clock: LocalClock

    public init(width: Int, numbersRows: Bool, wraps: Bool = true, clock: LocalClock) {
        self.width = width
        self.numbersRows = numbersRows
        self.wraps = wraps
        self.clock = clock
    }

    private func wrapped(_ text: String, hanging: Int = 0) -> [String] {
        wraps ? text.wrapped(to: width, hanging: hanging) : [text]
    }

    public func text(_ result: CommandResult) -> String {
        wrapped(unwrapped(result)).joined(separator: "\n")
    }

    private func unwrapped(_ result: CommandResult) -> String {
        switch result {
        case .done(let done): return done.text.printable
        case .listing(let listing): return text(listing)
        case .groups(let groups): return text(groups)
        case .detail(let detail): return text(detail)
        case .status(let report): return text(report)
        case .imported(let report, let file): return text(report, reportFile: file)
        case .exported(let report): return text(report)
        case .synced(let report): return SyncText.lines(report).map(\.printableLine).joined(separator: "\n")
        case .quarantine(let records): return text(records)
        case .outbox(let records): return text(records)
        case .conflicts(let rows): return text(rows)
        case .help(let topic): return HelpText.text(topic, width: wraps ? width : 100)
        case .more, .quit: return ""
        }
    }

    // MARK: Records

    private func text(_ listing: Listing) -> String {
        var lines: [String] = []
        if listing.rows.isEmpty {
            lines.append("No \(listing.kind.plural).")
        } else {
            let numbers = listing.rows.indices.map { numbersRows ? [String($0 + 1)] : [] }
            let table = TextTable(
                columns: (numbersRows ? ["#"] : []) + listing.columns,
                rows: zip(numbers, listing.rows).map { $0 + $1.cells.map(\.printable) }, keepsIDs: !numbersRows)
            lines += table.lines(width: width)
        }
        lines += listing.notes.map(\.printable)
        lines += unreadable(listing.unreadable)
        return lines.joined(separator: "\n")
    }

    private func text(_ groups: RecordGroups) -> String {
        var lines: [String] = []
        var number = 0
        for group in groups.groups {
            let numbers = group.rows.indices.map { numbersRows ? [String(number + $0 + 1)] : [] }
            number += group.rows.count
            let table = TextTable(
                columns: (numbersRows ? ["#"] : []) + group.columns,
                rows: zip(numbers, group.rows).map { $0 + $1.cells.map(\.printable) }, keepsIDs: !numbersRows)
            lines += [group.title] + table.lines(width: width)
        }
        lines += groups.notes.map(\.printable)
        return lines.isEmpty ? groups.empty : lines.joined(separator: "\n")
    }

    private func unreadable(_ errors: [RecordError]) -> [String] {
        guard !errors.isEmpty else { return [] }
        return ["\(errors.count.of("document")) cannot be shown:"]
            + errors.prefix(ShellLimits.candidates).map { "  \($0)".printable }
    }

    private func text(_ detail: Detail) -> String {
        // Labels are names that others chose, as well: of answers, of photos, of fields in a conflict.
        let names = detail.fields.map(\.label.printableLine)
        // Wrapped values begin in the left half of the screen: a longer label extends into the values' column, but further
        // lines do not begin there.
        let labels = min(names.map(\.displayWidth).max() ?? 0, wraps ? max(0, width / 2 - 4) : Int.max)
        var lines = [detail.title.printableLine]
        for (name, field) in zip(names, detail.fields) {
            let label = "  " + name.padded(to: labels) + "  "
            lines += beside(label, column: labels + 4, text: field.value.printable)
        }
        for section in detail.sections {
            lines.append("  \(section.title.printableLine)")
            lines += section.lines.flatMap { beside("    ", column: 4, text: $0.printable) }
        }
        return lines.joined(separator: "\n")
    }

    /// A text of several lines begins at the same column in each of them.
    ///
    /// - Parameter column: of the second line and of those behind it.
    private func beside(_ label: String, column: Int, text: String) -> [String] {
        let margin = String(repeating: " ", count: column)
        let indentation = label.unicodeScalars.prefix { $0 == " " }.count
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .flatMap { index, line in
                let hanging = index == 0 ? column - indentation : 0
                return wrapped((index == 0 ? label : margin) + String(line), hanging: hanging)
            }
    }

    // MARK: Reports

    /// Lines beside a label, under each other.
    static func labelled(_ label: String, lines: [String]) -> [String] {
        let width = 10
        return lines.enumerated().map { index, line in
            let label = index == 0 ? label : ""
            return label + String(repeating: " ", count: width - label.count) + line
        }
    }

    private func text(_ report: StatusReport) -> String {
        var lines = [
            "User      \(report.user ?? "nobody has signed in")",
            "Gateway   \(report.gateway ?? "none; sign in with: login")",
            "Folder    \(report.folder)",
            "Photos    sealed \(report.isSealedByPassphrase ? "by your passphrase" : "by a key in the folder")",
        ]
        lines += Self.labelled("Sync", lines: ServiceText.lines(report.sync, unsent: report.unsent))
        let rows = report.counts.map { [$0.kind.plural, $0.count.grouped, $0.waiting.map(\.grouped) ?? ""] }
        lines += TextTable(columns: ["RECORDS", "HERE", "TO SEND"], rows: rows).lines(width: width)
        if report.drafts > 0 {
            let mine = report.user == nil ? "" : " --mine"
            lines.append("\(report.drafts.of("inspection")) not yet submitted: list --status draft\(mine)")
        }
        lines += SyncText.returned(report.returned)
        if report.conflicts > 0 { lines.append(ConflictText.note(report.conflicts)) }
        if report.outbox > 0 { lines.append("The gateway refused \(report.outbox.of("record")): outbox") }
        if report.quarantine > 0 {
            lines.append("\(report.quarantine.of("edit")) of yours in quarantine: quarantine")
        }
        return lines.joined(separator: "\n").printable
    }

    private func text(_ report: ImportReport, reportFile: String?) -> String {
        var lines = report.samples.flatMap(ImportText.lines) + report.counts.map(ImportText.line)
        lines += ImportText.forOffice(report.addedForOffice)
        lines += ImportText.strayDistricts(report.strayDistricts)
        for (kind, count) in report.totals {
            let notes = report.notes.filter { $0.kind == kind }
            lines.append(ImportText.heading(count, kind: kind))
            lines += notes.prefix(ShellLimits.notesShown).map { "  \(ImportText.line($0))" }
            if count > ShellLimits.notesShown { lines.append("  and \((count - ShellLimits.notesShown).grouped) more") }
        }
        if let reportFile { lines.append("Every odd row and what became of it: \(reportFile)") }
        if report.isPreview { lines.append("This is a preview; nothing was imported.") }
        return lines.joined(separator: "\n").printable
    }

    private func text(_ report: ExportReport) -> String {
        var lines = report.files.map { "\($0.name)  \($0.records.grouped)" }
        if report.attachments > 0 { lines.append("\(report.attachments.of("attachment")) in attachments/") }
        if !report.missingAttachments.isEmpty {
            lines.append("\(report.missingAttachments.count.of("attachment")) missing on this laptop:")
            lines += report.missingAttachments.prefix(ShellLimits.candidates).map { "  \($0)" }
            lines.append("Fetch them from the gateway, then export again: sync --reset")
        }
        if !report.damagedAttachments.isEmpty {
            lines.append("\(report.damagedAttachments.count.of("attachment")) damaged on this laptop and left out:")
            lines += report.damagedAttachments.prefix(ShellLimits.candidates).map { "  \($0)" }
        }
        lines += unreadable(report.unreadable)
        lines.append("Exported to \(report.folder)")
        return lines.joined(separator: "\n").printable
    }

    /// Two lines or more for each, as in the outbox.
    private func text(_ records: [QuarantinedRecord]) -> String {
        guard !records.isEmpty else { return "Nothing is in quarantine." }
        let entries = records.map { record in
            (String(record.id), record.line, "since \(clock.text(record.moment)): \(record.reason.printable)")
        }
        return
            (["Your edits that were never sent before their records were taken away:"] + numbered(entries)
            + ["See one: quarantine show NUMBER. Bring it back: quarantine restore NUMBER"])
            .joined(separator: "\n")
    }

    /// Each entry with its number and its line, and a note below it.
    private func numbered(_ entries: [(number: String, line: String, note: String)]) -> [String] {
        let numbers = entries.map(\.number.displayWidth).max() ?? 1
        let margin = String(repeating: " ", count: numbers + 2)
        return entries.flatMap { entry in
            wrapped(entry.number.padded(to: numbers) + "  " + entry.line.printableLine, hanging: numbers + 2)
                + wrapped(margin + entry.note)
        }
    }

    private func text(_ rows: [ConflictRow]) -> String {
        guard !rows.isEmpty else { return "There is nothing to decide." }
        let table = TextTable(
            columns: (numbersRows ? ["#"] : []) + ["RECORD", "TO DECIDE"],
            rows: rows.map { row in
                (numbersRows ? [String(row.number)] : []) + [row.title.printable, row.subjects.printable]
            })
        let name = numbersRows ? "NUMBER" : "ID"
        // The contested values and their record are never cut.
        let lines = table.isWhole(width: width) ? table.lines(width: width) : rows.flatMap(wrapped)
        let ways = Self.ways(rows.reduce(into: []) { $0.formUnion($1.decisions) }, name: name)
        let deleted = rows.filter { $0.decisions.contains(.deletion) }.count
        let atOnce = deleted > 1 ? ". To keep all that were deleted: conflicts take all keep" : ""
        return
            (["Different values were given on two devices. Until you decide, one is current and the others are kept:"]
            + lines + ["See the values: conflicts show \(name). \(ways)\(atOnce)"])
            .joined(separator: "\n")
    }

    private static func ways(_ decisions: Set<ConflictRow.Decision>, name: String) -> String {
        let ways = [
            decisions.contains(.values) ? "conflicts take \(name) mine, or theirs" : nil,
            decisions.contains(.deletion) ? "conflicts take \(name) keep, or delete" : nil,
        ]
        return "Decide: " + ways.compactMap(\.self).joined(separator: ". Where it is deleted or kept: ")
    }

    /// Two lines or more: the record, and its contested values.
    private func wrapped(_ row: ConflictRow) -> [String] {
        let number = numbersRows ? "\(row.number)  " : ""
        let margin = String(repeating: " ", count: max(2, number.utf8.count))
        return wrapped(number + row.title.printableLine, hanging: margin.utf8.count)
            + wrapped(margin + "to decide: " + row.subjects.printableLine, hanging: margin.utf8.count)
    }

    /// Two lines or more for each: the record, and the whole reason.
    private func text(_ records: [RefusedRecord]) -> String {
        guard !records.isEmpty else { return "The gateway has refused nothing." }
        var lines = ["The gateway refused these; they are safe here:"]
        lines += numbered(
            records.map { record in
                let state = record.isKept ? "; kept" : ""
                return (
                    String(record.number), record.line,
                    "since \(clock.text(record.since))\(state): \(AdviceText.text(record.reason).printable)"
                )
            })
        lines.append("What you can do: outbox show NUMBER")
        return lines.joined(separator: "\n")
    }
}
