import DocumentValues
import FieldModels
import FieldRecords

/// Lists and shows values that two people changed at once, and decides about them.
struct ConflictCommands {
    let session: ShellSession

    func run(_ action: ConflictAction) throws -> CommandResult {
        switch action {
        case .list: return .conflicts(try list())
        case .show(let text):
            return .detail(try show(text))
        case .keepAll: return .done(try KeepAllCommand(session: session).run())
        case .take(let text, let side, let values):
            let conflict = try ConflictFinder(session: session).find(text)
            let decision = ConflictDecision(session: session, listed: conflict, side: side, values: values)
            return .done(try decision.run())
        }
    }

    private func show(_ text: String) throws -> Detail {
        let conflict = try ConflictFinder(session: session).find(text)
        session.keepPhotoNumbers(of: conflict, counting: true)
        let whole = try session.field().conflicts.conflict(of: conflict.kind, conflict.id)
        session.shown.conflicts[RecordReference(conflict.kind, id: conflict.id)] = whole?.fields
        var detail = try detail(conflict, of: whole, number: text)
        if !session.isShell { noteShown(conflict, in: &detail) }
        return detail
    }

    private func list() throws -> [ConflictRow] {
        let conflicts = try OpenConflicts(session: session).all()
        session.shown.conflictList = LastList(conflicts.map { RecordReference($0.kind, id: $0.id) })
        session.number(LastList(conflicts.map { RecordReference($0.kind, id: $0.id) }))
        return try conflicts.enumerated().map { index, conflict in
            ConflictRow(
                number: index + 1, reference: RecordReference(conflict.kind, id: conflict.id),
                title: try conflict.listedTitle(in: session.field()),
                subjects: try ConflictText(conflict, session: session, readsLog: false).subjects,
                decisions: ConflictRow.Decision.all(in: conflict), object: conflict.json)
        }
    }

    private func detail(_ conflict: RecordConflict, of whole: RecordConflict?, number: String) throws -> Detail {
        var detail = Detail(
            title: try conflict.listedTitle(in: session.field()),
            reference: RecordReference(conflict.kind, id: conflict.id), fields: [], object: conflict.json)
        let text = try ConflictText(conflict, session: session)
        detail.sections = text.sections
        let advice = try ConflictAdvice(session: session).sentence(about: conflict, in: text, number: number)
        detail.sections.append(Detail.Section(title: advice, lines: []))
        if let others = whole?.ofSupervisors, whole != conflict {
            let subjects = try ConflictText(others, session: session, readsLog: false).subjects
            detail.sections.append(Detail.Section(title: "A supervisor decides: \(subjects)", lines: []))
        }
        return detail
    }

    /// Outside the shell the decision is a command of its own. A full disk must not prevent the look at the conflict.
    private func noteShown(_ conflict: RecordConflict, in detail: inout Detail) {
        do { try session.field().conflicts.noteShown(conflict) } catch {
            detail.sections.append(
                Detail.Section(
                    title:
                        "Look again before you decide: the shown values could not be noted (\(ErrorText.text(error))).",
                    lines: []))
        }
    }
}
