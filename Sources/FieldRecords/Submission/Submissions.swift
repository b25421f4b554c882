import DocumentStore
import DocumentValues
import FieldModels

/// Decides whether an inspection is handed in: it is once the gateway has it so. An inspection that is submitted on this
/// laptop alone, because no sync has sent it yet or because the gateway refused it, cannot be returned by a reviewer, so it
/// can still be changed here.
public struct Submissions: RecordService {
    let store: RecordStore
    let assignedWork: AssignedWork

    /// Whether only a reviewer may still change the inspection.
    public func isHandedIn(_ inspection: Inspection) throws -> Bool {
        switch inspection.status {
        case .draft, .returned: false
        case .submitted: try !isSubmittedHereOnly(inspection.id)
        case .approved: true
        }
    }

    /// - Throws: `RecordActionError` if the inspection has been handed in.
    public func checkIsOpen(_ inspection: Inspection) throws {
        guard try isHandedIn(inspection) else { return }
        throw RecordActionError(.closed(status: inspection.status.rawValue), kind: .inspection, id: inspection.id)
    }

    /// - Throws: `RecordActionError` if the inspection of a finding has been handed in. An inspection that is not here, or
    ///   cannot be read, counts as open.
    public func checkIsOpen(inspectionOf finding: Finding) throws {
        guard let id = finding.inspection, let inspection = try inspections.findReadable(id), try isHandedIn(inspection)
        else { return }
        throw RecordActionError(
            .partOfClosed(status: inspection.status.rawValue, inspection: id), kind: .finding, id: finding.id)
    }

    /// Whether another user has submitted the author's inspection: the author may take that back, even if it is handed in.
    public func isSubmittedByOthers(_ inspection: Inspection, than author: Author) -> Bool {
        guard inspection.status == .submitted, let name = author.name, inspection.isWork(of: name) else { return false }
        let object = inspection.object
        return FieldChanges(of: object).stamp(at: RecordConflict.status, in: object).by.map { !$0.isExactly(name) }
            ?? false
    }

    /// Takes back that an inspection was submitted, as long as it is not handed in, or where others have submitted it: it is a
    /// draft again, or returned, and its assignment is open again.
    ///
    /// - Throws: `RecordActionError` where it is handed in, or was not submitted.
    @discardableResult
    public func takeBack(_ id: String, by author: Author) throws -> Inspection {
        try database.inBatch {
            let inspection = try inspections.update(id, by: author) { inspection in
                if !isSubmittedByOthers(inspection, than: author) { try checkIsOpen(inspection) }
                guard inspection.status == .submitted else {
                    throw RecordActionError(
                        .noSuchStep(from: inspection.status.rawValue, to: Inspection.Status.draft.rawValue),
                        kind: .inspection, id: id)
                }
                try reopen(&inspection)
            }
            try assignedWork.reopenAssignment(of: inspection, by: author)
            return inspection
        }
    }

    /// A submitted inspection whose answers no longer satisfy its form gets its former status again.
    public func reopenIfIncomplete(_ inspection: inout Inspection, form: FormDefinition?) throws {
        guard inspection.status == .submitted, let form else { return }
        let isComplete =
            FormCheck.missing(in: inspection.answers, of: form).isEmpty
            && FormCheck.problems(of: inspection.answers, in: form).isEmpty
            && FormCheck.closed(in: form, answers: inspection.answers).isEmpty
        if !isComplete { try reopen(&inspection) }
    }

    /// Sets the state from before the submission.
    private func reopen(_ inspection: inout Inspection) throws {
        let before = try gatewayVersion(ofInspection: inspection.id)
        inspection.status = before.map { $0.status.isOpen ? $0.status : .draft } ?? .draft
        inspection.submittedAt = before.flatMap { $0.status.isOpen ? $0.submittedAt : nil }
    }

    private func isSubmittedHereOnly(_ id: String) throws -> Bool {
        guard let exchange = try collection(of: .inspection).exchange(of: id), !exchange.isSent else { return false }
        if !exchange.isKnownToRemotes { return true }
        if let before = try gatewayVersion(ofInspection: id) { return before.status.isOpen }
        // The gateway's version is not known here. It does not have a version that it refused.
        return try database.rejectedPushes().contains { push in
            push.collection == RecordKind.inspection.collection && push.documentID.isExactly(id)
        }
    }

    /// `nil` where the gateway has none, or it is not kept here or cannot be read.
    private func gatewayVersion(ofInspection id: String) throws -> Inspection? {
        guard let body = try gatewayBody(of: .inspection, id) else { return nil }
        do throws(RecordError) { return try Inspection(id: id, object: body) } catch { return nil }
    }
}
