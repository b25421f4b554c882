import DocumentStore
import DocumentValues
import FieldModels

/// What becomes of an assignment that was done by an inspection which is deleted.
public enum DeletedWork: Sendable, Hashable {
    /// There is none that is here.
    case nothing
    /// The assignment of this id is to be done again.
    case opened(String)
    /// The assignment of this id stays done: somebody else has it, and the gateway takes its opening from them, or from
    /// supervisors.
    case left(String)
}

/// The work that an inspection has done is not done any more when the inspection is deleted.
extension FieldDatabase {
    /// - Parameter inspection: as it was before it was deleted.
    public func openAssignment(ofDeleted inspection: Inspection, by author: Author) throws -> DeletedWork {
        guard let assignment = try assignment(doneBy: inspection) else { return .nothing }
        let mayOpen =
            try author.name.map { name in
                try assignment.inspector.isExactly(name)
                    || assignment.envelope.createdBy?.isExactly(name) == true || supervisorRole(of: name) == .known
            } ?? true
        guard mayOpen else { return .left(assignment.id) }
        try open(assignment.id, by: author)
        return .opened(assignment.id)
    }

    /// The assignment that an inspection has closed.
    func assignment(doneBy inspection: Inspection) throws -> Assignment? {
        guard let id = inspection.assignment, let assignment = try assignments.findReadable(id),
            assignment.status == .done, assignment.inspection.isExactly(inspection.id)
        else { return nil }
        return assignment
    }

    func open(_ assignment: String, by author: Author) throws {
        try assignments.update(assignment, by: author) { assignment in
            assignment.status = .open
            assignment.inspection = nil
        }
    }

    /// An inspection that comes back as handed in has done its assignment, also where that was sent as open meanwhile.
    public func closeAssignment(ofReturned id: String, by author: Author) throws {
        guard let inspection = try inspections.findReadable(id), !inspection.status.isOpen,
            let assignment = try inspection.assignment.flatMap({ try assignments.findReadable($0) }),
            assignment.status == .open, author.name.map({ assignment.inspector.isExactly($0) }) ?? true
        else { return }
        _ = try assignments.amend(assignment.id, by: author) { assignment in
            assignment.status = .done
            assignment.inspection = id
        }
    }

    /// Whether the assignment that a deletion has opened cannot be closed by taking back that change, as it was sent or
    /// changed since. It keeps nobody from bringing the inspection back.
    func isLeftOpen(_ record: JournalRecord, of entry: JournalEntry) throws -> Bool {
        guard entry.opens(record) else { return false }
        let present = try collection(of: .assignment).exchange(of: record.id)
        return present?.revision != record.after || present?.isSent == true
    }
}

extension JournalEntry {
    /// Whether the change has opened an assignment again, by deleting the inspection that had done it.
    func opens(_ record: JournalRecord) -> Bool {
        record.kind == .assignment && !record.isDeletion
            && records.contains { $0.kind == .inspection && $0.isDeletion }
    }
}
