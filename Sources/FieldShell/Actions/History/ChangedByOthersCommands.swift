import DocumentValues
import FieldModels
import FieldRecords

/// Lists changes by others in the user's own records, and sets them back.
struct ChangedByOthersCommands {
    let session: ShellSession

    /// All that is kept of it. It is no news afterwards.
    func list() throws -> RecordGroups {
        let field = try session.field()
        let changes = try field.receivedChanges.all(of: session.settings().user)
        let names = NamedSites(field)
        let rows = ChangedRows(field: field) { try names.name(of: $0) }
        var groups = RecordGroups(empty: "Others have changed nothing of yours, as far as this laptop knows.")
        groups.add(ChangedRows.title, columns: ChangedRows.columns, rows: try changes.map(rows.row))
        if !changes.isEmpty {
            let name = session.recordPlaceholder
            groups.notes.append("See what it was before: log \(name). Set it back: undo \(name)")
        }
        try field.receivedChanges.note(changes, as: .read)
        return try session.numbered(groups)
    }

    /// By its number in the last list, by its id or a beginning of it; `nil` where there is none.
    func find(_ text: String) throws -> ChangesByOthers? {
        let all = try session.field().receivedChanges.all(of: session.settings().user)
        if let number = RowNumber(text) {
            guard let listed = session.shown.list[number] else { return nil }
            return all.first { $0.record == listed }
        }
        switch NamedItem(text, among: all, ids: { ($0.record.id, $0.record.shortID) }) {
        case .none: return nil
        case .one(let changes): return changes
        case .several(let count):
            throw UsageError("'\(text)' fits \(count) records.", hint: "Name one of them by its whole id.")
        }
    }

    /// Makes an edit of the user's, which a further `undo` takes back. Texts and photos of others are lost by it, so the user
    /// is asked, as for taking back their own change.
    func setBack(_ changes: ChangesByOthers) throws -> Done {
        let field = try session.field()
        let record = changes.record
        let name = "\(record.kind.rawValue) \(record.shortID)"
        let isOwn =
            try field.receivedChanges.lossesOfSettingBack(changes) == nil
            && field.receivedChanges.lossesOfSettingBack(changes, notedAsOwn: true) != nil
        guard try mayBeSetBack(changes, of: name, notedAsOwn: isOwn) else {
            return Done("Nothing was changed.", object: [:])
        }
        field.journal.begin("undo of changes by others", by: try session.author())
        let lines = try field.receivedChanges.setBack(changes, notedAsOwn: isOwn, by: session.author())
        guard !lines.isEmpty else {
            throw UsageError(
                "No change of others in the \(name) can be set back: the values have changed again since, or they are the "
                    + "record's site, district or state.",
                hint: "See it: log \(record.shortID). Change it: edit \(record.shortID)")
        }
        let text = "Set back in the \(name): \(Self.list(lines)). The next sync sends it."
        let submitted = try SubmittedWork(session: session).staysSubmitted(record)
        return Done(
            [text, submitted].compactMap(\.self).joined(separator: "\n"),
            object: ["_id": .string(record.id), "changes": .array(lines.map { .string($0) })])
    }

    private func mayBeSetBack(_ changes: ChangesByOthers, of name: String, notedAsOwn isOwn: Bool) throws -> Bool {
        let what = "The changes in the \(name) are noted as your own, on another laptop."
        guard try !isOwn || session.consents(to: "\(what) Set it back all the same?".printable) else { return false }
        guard let losses = try session.field().receivedChanges.lossesOfSettingBack(changes, notedAsOwn: isOwn) else {
            return true
        }
        let lost = LostParts(losses).names
        let question = "Set back the \(name)? It takes away for good \(lost.joined(separator: ", and "))."
        return try lost.isEmpty || session.consents(to: question.printable)
    }

    private static func list(_ lines: [String]) -> String {
        let named = lines.prefix(ShellLimits.shownChanges).map { $0.printableLine.cut(to: ShellLimits.answerShown) }
        let rest = lines.count - named.count
        return (named + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    }

    static func wayBack(_ record: RecordReference) -> String {
        "To set back the changes of others that are still current: undo \(record.shortID)"
    }
}
