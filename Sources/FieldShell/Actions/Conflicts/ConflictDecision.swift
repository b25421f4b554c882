import DocumentValues
import FieldModels
import FieldRecords

/// Decides about a conflict: a side that counts, or values, each for its field.
struct ConflictDecision {
    let session: ShellSession
    let listed: RecordConflict
    let side: String?
    let values: [FieldValue]

    func run() throws -> Done {
        if let verb = side.flatMap({ DeletionVerb(typed: $0) }) {
            guard values.isEmpty else {
                throw UsageError(
                    "\(verb.rawValue) decides about the record alone; nothing was changed.",
                    hint: "Give the values in a second command: conflicts take \(session.recordPlaceholder) FIELD=VALUE"
                )
            }
            return try DeletionDecision(session: session).run(listed, by: verb)
        }
        session.keepPhotoNumbers(of: listed, counting: false)
        let conflict = try withSupervisorsFields(listed)
        let text = try ConflictText(conflict, session: session)
        guard side != nil || !values.isEmpty, !conflict.fields.isEmpty else {
            let advice = try ConflictAdvice(session: session).sentence(
                about: conflict, in: text, number: session.recordPlaceholder)
            throw UsageError("Say what counts.", hint: advice)
        }
        return try decide(conflict, by: text.choice)
    }

    private func decide(_ conflict: RecordConflict, by choice: ConflictChoice) throws -> Done {
        let named = try values.map { try choice.names.find($0.field, among: conflict.fields) }
        // A side means the questions that this person is asked.
        let meant = side == nil ? [] : try conflict.without(pathsOfSupervisors(in: conflict))?.fields ?? []
        // Before it is asked which value is meant: there may be no answer that helps.
        let supervisors = SupervisorQuestions(session: session)
        let isSupervisor = try supervisors.checkSupervises(conflict, decides: (named + meant).map(\.path))
        let chosen = try session.field().conflicts.withSiteAndDistrict(
            chosenValues(named: named, meant: meant, choice: choice), of: conflict)
        let checks = ConflictChecks(session: session, conflict: conflict, chosen: chosen)
        try checks.checkMayMove()
        if !isSupervisor { try supervisors.checkMayDecide(conflict, chosen: chosen) }
        try checks.checkWasSeen()
        try checks.checkApproves(named: values)
        try checks.checkRemoves(names: choice.names)
        // Whether a deleted record is kept is a question of its own.
        let decided = try session.field().conflicts.decide(conflict, choices: chosen, by: session.author())
        let outcome = DecisionText(session: session, conflict: conflict, names: choice.names)
        return try outcome.done(chosen, object: decided)
    }

    /// - Parameters:
    ///   - named: the fields of the values that were typed, in their order.
    ///   - meant: the fields that the side decides.
    private func chosenValues(
        named: [ContestedField], meant: [ContestedField], choice: ConflictChoice
    ) throws -> [FieldPath: JSONValue] {
        var chosen: [FieldPath: JSONValue] = [:]
        for (field, value) in zip(named, values) {
            chosen[field.path] = try read(value.text, for: field, choice: choice)
        }
        guard let side else { return chosen }
        for field in meant where chosen[field.path] == nil {
            // The caption of a removed photo needs no decision.
            if let photo = field.path.item, chosen[photo]?.isNull == true { continue }
            chosen[field.path] = try choice.value(side, of: field).value ?? .null
        }
        return chosen
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

    /// With the fields that supervisors decide about, where a value is given for one: who is not asked can be one all the same.
    private func withSupervisorsFields(_ conflict: RecordConflict) throws -> RecordConflict {
        guard let whole = try session.field().conflicts.conflict(of: conflict.kind, conflict.id),
            let more = whole.ofSupervisors
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
        let asked = try session.field().conflicts.conflict(of: conflict.kind, conflict.id, for: session.author().name)
        guard let asked else { return [] }
        return Set(conflict.fields.map(\.path)).subtracting(asked.fields.map(\.path))
    }
}
