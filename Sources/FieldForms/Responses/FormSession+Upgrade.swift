import DocumentValues
import FieldModels
import FieldRecords
import FormEntry
import FormLogic

extension FormSession {
    /// What becomes of the answers in the version that new records take.
    ///
    /// - Throws: `FormFillingError` where the record has that version already; `FormLibraryError` where it is not here.
    package func upgradePlan() throws -> (plan: UpgradePlan, loaded: LoadedForm) {
        guard newerVersion != nil else { throw FormFillingError(.upToDate, subject: response.id) }
        let newer = try FormLibrary(in: field).load(form: loaded.form.id, version: loaded.current)
        let plan = UpgradePlan(
            from: loaded.form, to: newer.form, answers: MetaAnswers.without(state.record.answers()),
            former: response.former, conversions: Conversions(zone: setting.zone))
        return (plan, newer)
    }

    /// Goes on with the version that new records take, and saves the record so.
    ///
    /// - Returns: the steps, a line each.
    /// - Throws: as `upgradePlan` and `save`; the session then stays as it was.
    package func upgrade() throws -> [String] {
        let (plan, newer) = try upgradePlan()
        var evaluator = try setting.evaluator(for: newer)
        let answers = MetaAnswers.with(instanceID: response.instanceID, in: plan.answers)
        evaluator.record = Self.record(answers, evaluator: &evaluator)
        evaluator.seeds = Self.seeds(response.seeds, of: evaluator.record)
        let (upgraded, changes) = FormState.upgraded(
            evaluator: evaluator, graph: FormGraph(evaluator.program), fresh: plan.fresh)
        // The present marks have numbers of nodes of the former version; the record has their paths.
        var next = updated(upgraded, marks: FormMarks())
        next.state = .draft
        next.formVersion = newer.form.version
        next.formDigest = newer.digest
        next.former = plan.former
        next.remarks = response.remarks
        next.begun = response.begun
        try store(next)
        loaded = newer
        state = upgraded
        marks = FormMarks()
        readMarks()
        return plan.lines + DroppedChoices.of(changes, in: upgraded.record).map(\.line)
    }
}
