import DocumentStore
import DocumentValues
import FieldModels

/// The steps of an inspection from a draft to an approved one.
extension FieldDatabase {
    /// Hands an inspection in. Everything its form requires must be there. Answers to questions that are not asked any more are
    /// taken out (``closedAnswers(of:)``).
    ///
    /// - Throws: `UnansweredQuestions` naming every question that is open or wrongly answered.
    @discardableResult
    public func submit(_ id: String, by author: Author) throws -> Inspection {
        var submitted: Inspection?
        try database.inBatch {
            let inspection = try inspections.update(id, by: author) { inspection in
                let form = try form(of: inspection)
                try inspection.submit(answering: form, at: author.moment)
            }
            try close(inspection, by: author)
            submitted = inspection
        }
        guard let submitted else { throw RecordActionError(.notFound, kind: .inspection, id: id) }
        return submitted
    }

    /// Questions of an inspection's form that have an answer in it, and are not asked any more. None where this laptop does not
    /// know the form.
    public func closedAnswers(of inspection: Inspection) throws -> [FormField] {
        guard let form = try form(of: inspection) else { return [] }
        return FormCheck.closed(in: form, answers: inspection.answers)
    }

    /// The assignment of an inspection is done; only the one it was given to may report that. One that this program cannot read
    /// stays as it is, and keeps nobody from handing in.
    private func close(_ inspection: Inspection, by author: Author) throws {
        guard let id = inspection.assignment, let assignment = try assignments.findReadable(id),
            assignment.status == .open, author.name.map({ assignment.inspector.isExactly($0) }) ?? true
        else { return }
        try assignments.update(id, by: author) { assignment in
            assignment.status = .done
            assignment.inspection = inspection.id
        }
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
        var reviewed: Inspection?
        try database.inBatch {
            let all = try findings.all(ofInspection: id)
            let unreadable = Set(all.unreadable.map { Name($0.id) })
            reviewed = try inspections.update(id, by: author) { inspection in
                inspection.envelope.settle([RecordConflict.review, RecordConflict.status])
                let isDoubtful = ApprovalChanges(of: inspection, all.records, unreadable: unreadable) != nil
                let status = decide(&inspection, all.records)
                try inspection.review(as: status, isDoubtful: isDoubtful)
            }
        }
        guard let reviewed else { throw RecordActionError(.notFound, kind: .inspection, id: id) }
        return reviewed
    }

    /// Throws what `submit` would, and hands nothing in.
    public func checkSubmission(_ id: String) throws {
        guard var inspection = try inspections.find(id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: id)
        }
        let form = try form(of: inspection)
        try inspection.submit(answering: form, at: Timestamp(secondsSince1970: 0))
    }

    /// Throws what `approve` or `sendBack` would, and changes nothing.
    public func checkReview(_ id: String, as status: Inspection.Status) throws {
        guard var inspection = try inspections.find(id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: id)
        }
        let isDoubtful = try approvalChanges(of: inspection) != nil
        try inspection.review(as: status, isDoubtful: isDoubtful)
    }

    /// Deletes an inspection that is still open, with its findings: those that never left this laptop at once, the others
    /// are hidden for as long as it is deleted.
    ///
    /// - Returns: how many findings went with it.
    public func deleteInspection(_ id: String) throws -> Int {
        var count = 0
        try database.inBatch {
            guard try collection(of: .inspection).document(id: id) != nil else {
                throw RecordActionError(.notFound, kind: .inspection, id: id)
            }
            // What is damaged can be deleted, too.
            if let inspection = try inspections.findReadable(id) { try checkIsOpen(inspection) }
            let findings = try findings.all(ofInspection: id).records
            count = findings.count
            for finding in findings {
                let exchange = try collection(of: .finding).exchange(of: finding.id)
                if exchange?.isKnownToRemotes != true { try self.findings.delete(finding.id) }
            }
            try inspections.delete(id)
        }
        return count
    }

    /// Deletes a finding of an inspection that is still open, or of none.
    public func deleteFinding(_ id: String) throws {
        try database.inBatch {
            // What is damaged can be deleted, too.
            if let finding = try findings.findReadable(id) { try checkIsOpen(inspectionOf: finding) }
            try findings.delete(id)
        }
    }

    /// - Throws: `RecordActionError` if the inspection of a finding has been handed in. One that is not here, or cannot be
    ///   read, keeps nobody from anything.
    public func checkIsOpen(inspectionOf finding: Finding) throws {
        guard let id = finding.inspection, let inspection = try inspections.findReadable(id), try isHandedIn(inspection)
        else { return }
        throw RecordActionError(
            .partOfClosed(status: inspection.status.rawValue, inspection: id), kind: .finding, id: finding.id)
    }

    /// What refers to a site: `3 inspections`, `1 finding`; empty where nothing does.
    public func records(ofSite id: String) throws -> [String] {
        func count<Record>(_ list: RecordList<Record>, site: KeyPath<Record, String>) -> Int {
            list.records.filter { $0[keyPath: site].isExactly(id) }.count
        }
        return [
            (count(try inspections.all(), site: \.site), "inspection"),
            (count(try findings.all(), site: \.site), "finding"),
            (count(try assignments.all(), site: \.site), "assignment"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    }

    /// Deletes a site that no record refers to.
    ///
    /// - Throws: `RecordActionError` naming how many inspections, findings or assignments there are.
    public func deleteSite(_ id: String) throws {
        try database.inBatch {
            let users = try records(ofSite: id)
            guard users.isEmpty else {
                throw RecordActionError(.inUse(by: users.joined(separator: " and ")), kind: .site, id: id)
            }
            try sites.delete(id)
        }
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
        // Nobody can answer what a later version of the form asks of one that is handed in.
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

/// An inspection that cannot be handed in yet.
public struct UnansweredQuestions: UserFacingError, Sendable, Hashable {
    @Exact public private(set) var id: String
    public let open: [FormField]
    public let wrong: [FieldProblem]

    public var description: String {
        var text = "Not submitted yet."
        if !open.isEmpty { text += " Still to answer: " + open.map(\.label).joined(separator: ", ") + "." }
        if !wrong.isEmpty {
            text += " Wrong: " + wrong.map(\.description).joined(separator: "; ")
            text += ". Answer again: edit \(RecordKind.inspection.shortID(of: id))"
        }
        return text
    }
}
