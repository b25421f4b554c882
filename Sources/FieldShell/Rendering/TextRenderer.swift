import DocumentValues
import FieldModels
import FieldRecords

/// Results as text for a person.
public struct TextRenderer: Sendable {
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

    func wrapped(_ text: String, hanging: Int = 0) -> [String] {
        wraps ? text.wrapped(to: width, hanging: hanging) : [text]
    }

    /// The whole text.
    ///
    /// - Throws: `StoreError` where the records of a list cannot be read.
    public func text(_ result: CommandResult) throws -> String {
        try lines(result).all().joined(separator: "\n")
    }

    /// The lines of the text. Those of a list are laid out as they are requested, and its records read.
    func lines(_ result: CommandResult) throws -> Portions<String> {
        switch result {
        case .done(let done): broken(done.text.printable)
        case .listing(let listing): try broken(lines(listing))
        case .groups(let groups): try broken(lines(groups))
        case .detail(let detail): broken(text(detail))
        case .status(let report): broken(text(report))
        case .imported(let report, let file): broken(text(report, reportFile: file))
        case .exported(let report): broken(text(report))
        case .synced(let report):
            broken(SyncText.lines(report).map(\.printableLine).joined(separator: "\n"))
        case .quarantine(let records): try broken(lines(records))
        case .outbox(let records): try broken(lines(records))
        case .conflicts(let rows): try broken(lines(rows))
        case .form(let output): broken(output.lines.joined(separator: "\n").printable)
        case .help(let topic): broken(HelpText.text(topic, width: wraps ? width : 100))
        case .more, .quit: broken("")
        }
    }

    private func broken(_ text: String) -> Portions<String> { Portions(lines(of: text)) }

    private func broken(_ lines: Portions<String>) throws -> Portions<String> {
        try lines.map { $0.flatMap { self.lines(of: $0) } }
    }

    private func lines(of text: String) -> [String] {
        if wraps { return text.wrapped(to: width) }
        guard text.utf8.contains(UInt8(ascii: "\n")) else { return [text] }
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    func unreadable(_ errors: [RecordError]) -> [String] {
        guard !errors.isEmpty else { return [] }
        return ["\(errors.count.of("document")) cannot be shown:"]
            + errors.prefix(ShellLimits.candidates).map { "  \($0)".printable }
    }

    // MARK: One record

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
            "Photos    sealed \(report.isSealedByPassphrase ? "by your passphrase" : "by a key in the folder")"
                + ServiceText.lock(report.lock),
        ]
        if let absent = AbsentPhotoText.status(report.absentPhotos ?? 0, by: report.photos) {
            lines += Self.labelled("", lines: [absent])
        }
        lines += Self.labelled("Sync", lines: ServiceText.lines(report.sync, unsent: report.unsent))
        let rows = report.counts.map { [$0.kind.plural, $0.count.grouped, $0.waiting.map(\.grouped) ?? ""] }
        lines += TextTable(columns: ["RECORDS", "HERE", "TO SEND"], rows: rows).lines(width: width)
        if report.due + report.overdue > 0 {
            let parts = [(report.due, "due today"), (report.overdue, "overdue")].filter { $0.0 > 0 }
            lines.append("Assignments: \(parts.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")): today")
        }
        if report.drafts > 0 {
            let mine = report.user == nil ? "" : " --mine"
            lines.append("\(report.drafts.of("inspection")) not yet submitted: list --status draft\(mine)")
        }
        lines += StatusText.responses(report)
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
}
