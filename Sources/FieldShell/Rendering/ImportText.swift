import DocumentValues
import FieldRecords

/// An import in sentences.
enum ImportText {
    static func line(_ count: ImportCount) -> String {
        let parts = [
            (count.added, "new"), (count.updated, "updated"), (count.unchanged, "unchanged"),
            (count.kept, "left as changed here"), (count.leftOut, "left out"),
        ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        return "\(count.file): \(count.rows.of("row")) → \(count.records): "
            + (parts.isEmpty ? "none" : parts.joined(separator: ", "))
    }

    /// `3 rows with misplaced quotation marks:`, `1 row with misplaced quotation marks:`.
    static func heading(_ count: Int, kind: ImportNote.Kind) -> String {
        guard count == 1 else { return "\(count.grouped) \(kind.title):" }
        var title = kind.title.split(separator: " ").map(String.init)
        title[0] = title[0].hasSuffix("s") ? String(title[0].dropLast()) : title[0]
        let singular = ["they": "it", "are": "is"]
        return "1 " + title.map { singular[$0] ?? $0 }.joined(separator: " ") + ":"
    }

    /// No laptop knows its user's roles.
    static func forOffice(_ count: Int) -> [String] {
        guard count > 0 else { return [] }
        let (have, them) = count == 1 ? ("has an id", "it") : ("have ids", "them")
        let what = "\(count.of("new record")) \(have) that no laptop makes."
        return ["\(what) The gateway takes \(them) from the office only."]
    }

    /// A district is typed by name, and with a letter missing the name is another district, whose records no user gets.
    static func strayDistricts(_ codes: [String]) -> [String] {
        guard !codes.isEmpty else { return [] }
        let shown = codes.prefix(ShellLimits.candidates).map { "'\($0)'" }.joined(separator: ", ")
        let rest =
            codes.count > ShellLimits.candidates ? " and \((codes.count - ShellLimits.candidates).grouped) more" : ""
        let (district, its) = codes.count == 1 ? ("the district", "It gets") : ("the districts", "They get")
        return [
            "No record that the gateway has is in \(district) \(shown)\(rest). \(its) no inspector before an administrator adds "
                + "\(codes.count == 1 ? "it" : "them"): check the spelling."
        ]
    }

    static func line(_ note: ImportNote) -> String {
        "\(note.position): \(note.what) → \(note.outcome)"
    }

    /// A record of a preview: its position, then its members, or its changes.
    static func lines(_ sample: ImportSample) -> [String] {
        if let changes = sample.changes {
            return ["\(sample.file):\(sample.line) would change \(sample.id)"] + changes.map { "  \($0)" }
        }
        let hidden = ["type", "schema", "source", "channels"]
        let members = sample.body.members.filter { !hidden.containsExactly($0.key) }
        return ["\(sample.file):\(sample.line) would become \(sample.id)"]
            + members.compactMap { member in member.value.cell.map { "  \(member.key): \($0)" } }
    }
}
