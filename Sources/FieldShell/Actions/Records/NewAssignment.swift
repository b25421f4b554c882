import DocumentValues
import FieldModels
import FieldRecords

/// Assigns the inspection of a site to a user.
struct NewAssignment {
    let session: ShellSession

    func make(_ request: NewRequest) throws -> Done {
        let site = try SiteChoice(session: session).site(
            request.owner, usage: "Say which site: new assignment SITE inspector=… due=…")
        let choice = FormChoice(session: session)
        var new = Assignment(
            id: RecordIDs.makeRandom(.assignment), inspector: "", site: site.id,
            due: session.environment.today().adding(days: 7),
            district: site.district ?? .unknown)
        let isForm = { (value: FieldValue) in ChoiceMatch.means(value.field, choice: "form") }
        let named = request.values.last(where: isForm)?.text
        new.form = try named.map { try choice.assignedForm(called: $0) } ?? choice.askForForm()
        let draft = RecordDraft(new, in: try session.field().assignments, session: session)
        let note = try hasAssigned() ? "" : " The gateway lets only supervisors assign work."
        try DraftFilling(session: session, draft: draft).fill(
            request.values.filter { !isForm($0) }, skipping: ["status"])
        let assignment = draft.record
        return Done(
            "Assigned \(site.name) to \(assignment.inspector), due \(assignment.due).\(note)",
            object: assignment.identifiedObject)
    }

    /// Whether the gateway has taken an assignment from this person before.
    private func hasAssigned() throws -> Bool {
        guard let user = try session.author().name else { return false }
        let field = try session.field()
        return try field.assignments.all().records.contains { assignment in
            guard assignment.envelope.createdBy?.isExactly(user) == true else { return false }
            return try field.store.isKnownToGateway(.assignment, id: assignment.id)
        }
    }
}
