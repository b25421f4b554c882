import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// What two people changed at once, and what is decided about it.
extension CommandRunner {
    func conflicts(_ action: ConflictAction) throws -> CommandResult {
        switch action {
        case .list: return .conflicts(try listConflicts())
        case .show(let text):
            let conflict = try find(text)
            session.keepPhotoNumbers(of: conflict, counting: true)
            let whole = try session.field().conflict(of: conflict.kind, conflict.id)
            session.shownConflicts[RecordReference(conflict.kind, id: conflict.id)] = whole?.fields
            var detail = try detail(conflict, of: whole, number: text)
            if !session.isShell { noteShown(conflict, in: &detail) }
            return .detail(detail)
        case .keepAll: return .done(try keepAllDeleted())
        case .take(let text, let side, let values): return .done(try take(try find(text), side: side, values: values))
        }
    }

    private func listConflicts() throws -> [ConflictRow] {
        let conflicts = try session.conflicts()
        session.conflictListing = LastList(conflicts.map { RecordReference($0.kind, id: $0.id) })
        session.number(LastList(conflicts.map { RecordReference($0.kind, id: $0.id) }))
        return try conflicts.enumerated().map { index, conflict in
            ConflictRow(
                number: index + 1, reference: RecordReference(conflict.kind, id: conflict.id),
                title: try title(conflict),
                subjects: try ConflictText(conflict, session: session, readsLog: false).subjects,
                decisions: ConflictRow.Decision.all(in: conflict), object: conflict.json)
        }
    }

    /// By its number in the last list of conflicts, or by the record's id; by that also one that is a supervisor's to decide.
    private func find(_ text: String) throws -> RecordConflict {
        let conflicts = try session.conflicts()
        if let number = Int(text), let listed = numbered(conflicts)[number] {
            return try find(listed, among: conflicts)
        }
        guard let conflict = try named(text, among: conflicts) ?? named(text, among: session.conflictsOfAll()) else {
            throw UsageError("No conflict has the number or the id '\(text)'.", hint: "List them: conflicts")
        }
        return conflict
    }

    private func find(_ reference: RecordReference, among conflicts: [RecordConflict]) throws -> RecordConflict {
        guard let conflict = conflicts.first(where: { $0.kind == reference.kind && $0.id.isExactly(reference.id) })
        else {
            throw UsageError(
                "Nothing is left to decide about \(reference.kind.rawValue) \(reference.shortID).",
                hint: "What is: conflicts")
        }
        return conflict
    }

    /// - Returns: `nil` where none, or several, are of a record with this id.
    private func named(_ text: String, among conflicts: [RecordConflict]) -> RecordConflict? {
        let named = conflicts.filter { conflict in
            conflict.id.isExactly(text) || RecordReference(conflict.kind, id: conflict.id).shortID.isExactly(text)
        }
        return named.count == 1 ? named[0] : nil
    }

    /// Numbers count once they were shown: which conflict is the first changes with each sync. The only one needs none.
    private func numbered(_ conflicts: [RecordConflict]) -> LastList {
        if let listed = session.conflictListing { return listed }
        return conflicts.count == 1 ? [RecordReference(conflicts[0].kind, id: conflicts[0].id)] : []
    }

    private func detail(_ conflict: RecordConflict, of whole: RecordConflict?, number: String) throws -> Detail {
        var detail = Detail(
            title: try title(conflict), reference: RecordReference(conflict.kind, id: conflict.id), fields: [],
            object: conflict.json)
        let text = try ConflictText(conflict, session: session)
        detail.sections = text.sections
        detail.sections.append(Detail.Section(title: try advice(conflict, in: text, number: number), lines: []))
        if let others = whole?.ofSupervisors, whole != conflict {
            let subjects = try ConflictText(others, session: session, readsLog: false).subjects
            detail.sections.append(Detail.Section(title: "A supervisor decides: \(subjects)", lines: []))
        }
        return detail
    }

    private func advice(_ conflict: RecordConflict, in text: ConflictText, number: String) throws -> String {
        let asked = try session.field().conflict(of: conflict.kind, conflict.id, for: session.author().name)
        if asked != nil { return text.advice(number: number) }
        guard conflict.ofSupervisors == nil, let worker = conflict.worker else {
            return "A supervisor decides about it."
        }
        return "\(worker.printableLine) decides about it, or a supervisor."
    }

    /// `inspection k3m9x2pq7d, Old mill, 2026-03-04 routine`.
    private func title(_ conflict: RecordConflict) throws -> String {
        let reference = RecordReference(conflict.kind, id: conflict.id)
        return "\(conflict.kind.rawValue) \(reference.shortID), \(try TitleWithSite(session.field()).title(reference))"
    }

    /// The decision is a command of its own there. A disk that is full keeps nobody from looking.
    private func noteShown(_ conflict: RecordConflict, in detail: inout Detail) {
        do { try session.field().noteShown(conflict) } catch {
            detail.sections.append(
                Detail.Section(
                    title:
                        "Look again before you decide: it could not be noted what was shown (\(ErrorText.text(error))).",
                    lines: []))
        }
    }

    // MARK: Deciding

    private func take(_ listed: RecordConflict, side: String?, values: [FieldValue]) throws -> Done {
        if let verb = side.flatMap({ DeletionVerb(typed: $0) }) {
            guard values.isEmpty else {
                throw UsageError(
                    "\(verb.rawValue) decides about the record alone; nothing was changed.",
                    hint: "Give the values in a second command: conflicts take \(session.recordPlaceholder) FIELD=VALUE"
                )
            }
            return try takeDeletion(listed, by: verb)
        }
        session.keepPhotoNumbers(of: listed, counting: false)
        let conflict = try withSupervisorsFields(listed, named: values)
        let text = try ConflictText(conflict, session: session)
        guard side != nil || !values.isEmpty, !conflict.fields.isEmpty else {
            throw UsageError(
                "Say what counts.", hint: try advice(conflict, in: text, number: session.recordPlaceholder))
        }
        let named = try values.map { try text.choice.names.find($0.field, among: conflict.fields) }
        // A side means what this person is asked about.
        let meant = side == nil ? [] : try conflict.without(pathsOfSupervisors(in: conflict))?.fields ?? []
        // Before it is asked which value is meant: there may be no answer that helps.
        let isSupervisor = try checkSupervises(conflict, decides: (named + meant).map(\.path))
        var chosen: [FieldPath: JSONValue] = [:]
        for (field, value) in zip(named, values) {
            chosen[field.path] = try read(value.text, for: field, choice: text.choice)
        }
        if let side {
            for field in meant where chosen[field.path] == nil {
                // What becomes of the caption of a photo that is removed is no question any more.
                if let photo = field.path.item, chosen[photo]?.isNull == true { continue }
                chosen[field.path] = try text.choice.value(side, of: field).value ?? .null
            }
        }
        chosen = try session.field().withSiteAndDistrict(chosen, of: conflict)
        try checkMayMove(conflict, chosen: chosen)
        if !isSupervisor { try checkMayDecide(conflict, chosen: chosen) }
        try checkWasSeen(conflict, chosen: chosen)
        try checkApproves(conflict, chosen: chosen, named: values)
        try checkRemoves(conflict, chosen: chosen, names: text.choice.names)
        // Whether a deleted record is kept is a question of its own.
        let decided = try session.field().decide(conflict, choices: chosen, by: session.author())
        return try done(conflict, object: decided, names: text.choice.names, chosen: chosen)
    }

    private func takeDeletion(_ conflict: RecordConflict, by verb: DeletionVerb) throws -> Done {
        guard conflict.deletion != nil else {
            throw UsageError(
                "Nobody has deleted this record.",
                hint: try ConflictText(conflict, session: session).advice(number: session.recordPlaceholder))
        }
        try checkSupervises(ofDeletion: conflict)
        switch verb {
        case .delete: return try delete(RecordReference(conflict.kind, id: conflict.id))
        case .keep:
            let object = try session.field().decide(conflict, choices: [:], keepsRecord: true, by: session.author())
            return Done("The \(try title(conflict)) is kept.", object: object)
        }
    }

    /// A side that says whose value is meant, or a value as it is typed for that field.
    private func read(_ text: String, for field: ContestedField, choice: ConflictChoice) throws -> JSONValue {
        if ConflictChoice.isSide(text) { return try choice.value(text, of: field).value ?? .null }
        // A record that is named is shown without its kind.
        func isShown(_ value: ContestedValue) -> Bool {
            value.text.isExactly(text)
                || RecordKind.allCases.contains { value.text.isExactly("\($0.rawValue)-\(text)") }
        }
        if let given = ([field.current] + field.others).first(where: isShown) { return given.value ?? .null }
        // The name of a device or a colleague says whose value is meant, as it does without a field.
        if choice.isNamed(text, in: field) { return try choice.value(text, of: field).value ?? .null }
        if text.isEmpty { return .null }
        guard let question = choice.names.question(of: field.path) else {
            throw UsageError("'\(text)' is none of the values of \(choice.names.label(of: field.path)).")
        }
        do throws(FieldProblem) {
            return try AnswerReader.read(text, for: question, today: session.environment.today())
        } catch {
            throw UsageError("\(error).")
        }
    }

    /// A side means the values that were shown, which a sync may have replaced since.
    private func checkWasSeen(_ conflict: RecordConflict, chosen: [FieldPath: JSONValue]) throws {
        let inShell = session.shownConflicts[RecordReference(conflict.kind, id: conflict.id)]
        guard let shown = try inShell ?? (session.isShell ? nil : session.field().shownFields(of: conflict)) else {
            return
        }
        let isNew = conflict.fields.contains { field in
            chosen[field.path] != nil && !shown.contains { $0.hasSameValues(as: field) }
        }
        guard isNew else { return }
        throw UsageError(
            "There are other values than those you looked at; nothing was decided.",
            hint: "Look at them first: conflicts show \(session.recordPlaceholder)")
    }

    /// An approval is given by nobody who only takes a side: who has given it before is what the record says, and colleagues
    /// write records.
    private func checkApproves(
        _ conflict: RecordConflict, chosen: [FieldPath: JSONValue], named values: [FieldValue]
    ) throws {
        let approved = JSONValue.string(Inspection.Status.approved.rawValue)
        guard conflict.kind == .inspection, chosen[RecordConflict.status] == approved,
            conflict.object["status"] != approved,
            !values.contains(where: { $0.field.isExactly(RecordConflict.status.member) })
        else { return }
        let reference = RecordReference(conflict.kind, id: conflict.id)
        guard try session.consents(to: "That approves the inspection \(reference.shortID). Approve it?") else {
            throw UsageError(
                "Nothing was decided.",
                hint: "Name what counts: conflicts take \(session.recordPlaceholder) FIELD=VALUE")
        }
    }

    /// A photo that the record has is removed by no decision that names only a side, nor by mistake.
    private func checkRemoves(
        _ conflict: RecordConflict, chosen: [FieldPath: JSONValue], names: ConflictNames
    ) throws {
        let removed = conflict.fields.filter { field in
            field.path.isItem && field.current.value != nil && chosen[field.path]?.isNull == true
        }
        guard !removed.isEmpty else { return }
        let photos = removed.map { names.label(of: $0.path).printableLine }.joined(separator: ", ")
        let reference = RecordReference(conflict.kind, id: conflict.id)
        guard try session.consents(to: "Remove \(photos) from the \(conflict.kind.rawValue) \(reference.shortID)?")
        else {
            throw UsageError(
                "Nothing was decided.", hint: "To keep a photo: conflicts take \(session.recordPlaceholder) PHOTO=kept")
        }
    }

    /// With the fields that supervisors decide about, where a value is given for one: who is not asked can be one all the same.
    private func withSupervisorsFields(_ conflict: RecordConflict, named values: [FieldValue]) throws -> RecordConflict
    {
        guard let whole = try session.field().conflict(of: conflict.kind, conflict.id), let more = whole.ofSupervisors
        else { return conflict }
        let names = try ConflictText(more, session: session).choice.names
        let isNamed = more.fields.contains { field in
            values.contains { value in
                [names.typedName(of: field.path), names.label(of: field.path)]
                    .contains { ChoiceMatch.means(value.field, choice: $0) }
            }
        }
        return isNamed ? whole : conflict
    }

    /// The fields of a conflict that this person is not asked about, beside others.
    private func pathsOfSupervisors(in conflict: RecordConflict) throws -> Set<FieldPath> {
        let asked = try session.field().conflict(of: conflict.kind, conflict.id, for: session.author().name)
        guard let asked else { return [] }
        return Set(conflict.fields.map(\.path)).subtracting(asked.fields.map(\.path))
    }

    /// Where a record of somebody else is, the gateway lets supervisors alone decide. Those who may be one are not asked.
    private func checkMayMove(_ conflict: RecordConflict, chosen: [FieldPath: JSONValue]) throws {
        let field = try session.field()
        guard let user = try session.settings().user,
            let owner = try field.owner(ofDecided: conflict, choices: chosen, against: user),
            try field.supervisorRole(of: user) == .unlikely
        else { return }
        let reference = RecordReference(conflict.kind, id: conflict.id)
        let question =
            "Only a supervisor moves records of others to other districts, and the \(conflict.kind.rawValue) "
            + "\(reference.shortID) is \(owner)'s. Decide all the same?"
        guard try session.consents(to: question.printable) else {
            throw UsageError("Nothing was decided.", hint: "Ask \(owner) or a supervisor to decide.")
        }
    }

    private func text(_ value: JSONValue, of path: FieldPath) -> String {
        if path.isItem { return ContestedValue.photoText(isKept: !value.isNull) }
        return value.isNull ? "empty" : value.text ?? ""
    }

    private func done(
        _ conflict: RecordConflict, object: JSONObject, names: ConflictNames, chosen: [FieldPath: JSONValue]
    ) throws -> Done {
        let decisions = conflict.fields.compactMap { field in
            chosen[field.path].map { value in
                let shown = names.text(value, at: field.path) ?? text(value, of: field.path)
                return "\(names.label(of: field.path)) is \(shown)"
            }
        }
        var questions = try OpenQuestions(of: session.author().name, in: session.field())
        let left = try RecordConflict(conflict.kind, id: conflict.id, object: object).flatMap {
            try questions.about($0)
        }
        let fields = left?.fields.count ?? 0
        let rest =
            (fields > 0 ? ["\(fields.of("field")) of it"] : [])
            + (conflict.deletion == nil ? [] : ["whether it is deleted or kept"])
        let more = rest.isEmpty ? "" : " Still to decide: \(rest.joined(separator: ", and ")); see: conflicts"
        return Done(
            "Decided: \(decisions.joined(separator: ", ")).\(more)",
            object: JSONObject(members: [JSONObject.Member(key: "_id", value: .string(conflict.id))] + object.members))
    }
}

extension ShellSession {
    /// What the person who works here is asked to decide now.
    func conflicts() throws -> [RecordConflict] {
        var questions = try OpenQuestions(of: settings().user, in: field())
        return try conflictsOfAll().compactMap { try questions.about($0) }
    }

    /// What anybody has to decide now.
    func conflictsOfAll() throws -> [RecordConflict] { try conflictWatch.conflicts(in: field()) }

    /// A sync names the conflicts that it found; the prompt need not do so again.
    func noteConflicts(of report: SyncReport) throws {
        let new =
            report.contested + report.undecided.values.reduce(0, +)
        guard new > 0 else { return }
        conflictsNoted = max(conflictsNoted, min(try conflicts().count, conflictsNoted + new))
    }

    /// Says when there is more to decide than before; what is left stays in the prompt.
    func conflictMark() -> String? {
        let count: Int
        do {
            count = try conflicts().count
        } catch {
            // A prompt cannot fail. It names the error once, not at every line.
            let error = ErrorText.text(error)
            if conflictError?.isExactly(error) != true {
                dialogue.show("What is to be decided cannot be read: \(error)".printable)
            }
            conflictError = error
            return nil
        }
        conflictError = nil
        if count > conflictsNoted { dialogue.show(ConflictText.note(count)) }
        conflictsNoted = count
        return count > 0 ? count.of("conflict") : nil
    }
}

extension ContestedField {
    fileprivate func hasSameValues(as other: ContestedField) -> Bool {
        path == other.path && current.value == other.current.value
            && others.map(\.value) == other.others.map(\.value)
    }
}
