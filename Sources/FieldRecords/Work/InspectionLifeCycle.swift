import DocumentStore
import DocumentValues
import FieldModels

/// The steps of an inspection from a draft to an approved one.
public struct InspectionLifeCycle: RecordService {
    let store: RecordStore
    let inspectionForms: InspectionForms
    let assignedWork: AssignedWork

    /// Hands an inspection in. Everything its form requires must be there. Answers to questions that are not asked any more are
    /// taken out (``closedAnswers(of:)``).
    ///
    /// - Throws: `UnansweredQuestions` naming every question that is open or wrongly answered.
    @discardableResult
    public func submit(_ id: String, by author: Author) throws -> Inspection {
        try database.inBatch {
            let inspection = try inspections.update(id, by: author) { inspection in
                let form = try inspectionForms.form(of: inspection)
                try inspection.submit(answering: form, at: author.moment)
            }
            try assignedWork.close(inspection, by: author)
            return inspection
        }
    }

    /// Questions of an inspection's form that have an answer in it, and are not asked any more. None where this laptop does not
    /// know the form.
    public func closedAnswers(of inspection: Inspection) throws -> [FormField] {
        guard let form = try inspectionForms.form(of: inspection) else { return [] }
        return FormCheck.closed(in: form, answers: inspection.answers)
    }

    /// Approves an inspection with its findings and photos as they are here now; one that is approved already, where
    /// they have changed since.
    @discardableResult
    public func approve(_ id: String, by author: Author) throws -> Inspection {
        try review(id, by: author) { inspection, findings in
            inspection.review = nil
            inspection.approvedFindings = ApprovedFindings.note(of: findings)
            inspection.approvedPhotos = inspection.photos.map(ApprovedPhotos.digest)
            return .approved
        }
    }

    /// Sends an inspection back to its inspector, who may then change it; also one that is approved.
    @discardableResult
    public func sendBack(_ id: String, because reason: String, by author: Author) throws -> Inspection {
        try review(id, by: author) { inspection, _ in
            inspection.review = reason
            inspection.approvedFindings = nil
            inspection.approvedPhotos = nil
            return .returned
        }
    }

    private func review(
        _ id: String, by author: Author, decide: (inout Inspection, [Finding]) -> Inspection.Status
    ) throws -> Inspection {
        try database.inBatch {
            let all = try findings.all(ofInspection: id)
            let unreadable = Set(all.unreadable.map { Name($0.id) })
            return try inspections.update(id, by: author) { inspection in
                inspection.envelope.settle([RecordConflict.review, RecordConflict.status])
                let isDoubtful = ApprovalChanges(of: inspection, all.records, unreadable: unreadable) != nil
                let status = decide(&inspection, all.records)
                try inspection.review(as: status, isDoubtful: isDoubtful)
            }
        }
    }

    /// Throws the errors of `submit`, without handing in.
    public func checkSubmission(_ id: String) throws {
        guard var inspection = try inspections.find(id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: id)
        }
        let form = try inspectionForms.form(of: inspection)
        try inspection.submit(answering: form, at: Timestamp(secondsSince1970: 0))
    }

    /// Throws the errors of `approve` or `sendBack`, without a change.
    public func checkReview(_ id: String, as status: Inspection.Status) throws {
        guard var inspection = try inspections.find(id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: id)
        }
        let isDoubtful = try approvalChanges(of: inspection) != nil
        try inspection.review(as: status, isDoubtful: isDoubtful)
    }
}

extension Inspection {
    /// - Parameter isDoubtful: it is approved, and not as it was approved.
    fileprivate mutating func review(as status: Status, isDoubtful: Bool) throws(RecordActionError) {
        let isTakenBack = self.status == .approved && status == .returned
        if isDoubtful || isTakenBack { self.status = status } else { try become(status) }
    }

    mutating func become(_ status: Status) throws(RecordActionError) {
        try checkMayBecome(status)
        self.status = status
    }

    private func checkMayBecome(_ status: Status) throws(RecordActionError) {
        guard self.status.next.contains(status) else {
            throw RecordActionError(
                .noSuchStep(from: self.status.rawValue, to: status.rawValue), kind: .inspection, id: id)
        }
    }

    mutating func submit(answering form: FormDefinition?, at moment: Timestamp) throws {
        // Questions of a later version of the form could not be answered after the handing in.
        try checkMayBecome(.submitted)
        if let form {
            let open = FormCheck.missing(in: answers, of: form)
            let wrong = FormCheck.problems(of: answers, in: form)
            if !open.isEmpty || !wrong.isEmpty {
                throw UnansweredQuestions(id: id, open: open, wrong: wrong.map(form.labelled))
            }
            for question in FormCheck.closed(in: form, answers: answers) { answers[question.name] = nil }
        }
        try become(.submitted)
        submittedAt = moment
    }
}

extension FormDefinition {
    /// People know a question by its label.
    fileprivate func labelled(_ problem: FieldProblem) -> FieldProblem {
        let label = fields.first { $0.name.isExactly(problem.field) }?.label
        return FieldProblem(label ?? problem.field, message: problem.message)
    }
}
