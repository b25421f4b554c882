import FieldRecords

/// An import in sentences.
enum ImportWords {
    static func line(_ count: ImportCount) -> String {
        let parts = [
            (count.added, "new"), (count.updated, "updated"), (count.unchanged, "unchanged"),
            (count.kept, "left as changed here"), (count.leftOut, "left out"),
        ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        return "\(count.file): \(count.rows.of("row")) → \(count.records): "
            + (parts.isEmpty ? "none" : parts.joined(separator: ", "))
    }

    /// `3 rows with misplaced quotation marks:`, `1 row with misplaced quotation marks:`.
    static func heading(_ count: Int, _ kind: ImportNote.Kind) -> String {
        guard count == 1 else { return "\(count.grouped) \(kind.title):" }
        var words = kind.title.split(separator: " ").map(String.init)
        words[0] = words[0].hasSuffix("s") ? String(words[0].dropLast()) : words[0]
        let singular = ["stand": "stands", "they": "it"]
        return "1 " + words.map { singular[$0] ?? $0 }.joined(separator: " ") + ":"
    }

    static func line(_ note: ImportNote) -> String {
        let place = note.line > 0 ? "\(note.file):\(note.line)" : note.file
        return "\(place) \(note.what) → \(note.outcome)"
    }
}
