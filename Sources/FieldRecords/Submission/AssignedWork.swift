import DocumentStore
import DocumentValues
import FieldModels

/// Assignments that inspections close, and that are open again when those are taken back or deleted.
public struct AssignedWork: RecordService {
    let store: RecordStore

    /// - Parameter inspection: as it was before it was deleted.
    public func openAssignment(ofDeleted inspection: Inspection, by author: Author) throws -> DeletedWork {
        guard let assignment = try assignment(doneBy: inspection) else { return .nothing }
        let mayOpen =
            try author.name.map { name in
                try assignment.inspector.isExactly(name)
                    || assignment.envelope.createdBy?.isExactly(name) == true
                    || store.supervisorRole(of: name) == .known
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

    /// The assignment that an inspection has closed is to be done again.
    public func reopenAssignment(of inspection: Inspection, by author: Author) throws {
        guard let assignment = try assignment(doneBy: inspection),
            author.name.map({ assignment.inspector.isExactly($0) }) ?? true
        else { return }
        try open(assignment.id, by: author)
    }

    /// The assignment of an inspection is done; only the one it was given to may report that. An assignment that this program
    /// cannot read stays as it is, and does not prevent the handing in.
    func close(_ inspection: Inspection, by author: Author) throws {
        guard let id = inspection.assignment, let assignment = try assignments.findReadable(id),
            assignment.status == .open, author.name.map({ assignment.inspector.isExactly($0) }) ?? true
        else { return }
        try assignments.update(id, by: author) { assignment in
            assignment.status = .done
            assignment.inspection = inspection.id
        }
    }

    /// The same for a filled form that was begun for an assignment.
    public func close(_ response: Response, by author: Author) throws {
        guard let id = response.assignment, let assignment = try assignments.findReadable(id),
            assignment.status == .open, author.name.map({ assignment.inspector.isExactly($0) }) ?? true
        else { return }
        try assignments.update(id, by: author) { assignment in
            assignment.status = .done
            assignment.inspection = response.id
        }
    }

    /// The filled form that was begun for an assignment and is not handed in: the user's own; `nil` for none.
    public func begunResponse(for assignment: String, by user: String?) throws -> Response? {
        try responses.all(where: .of("assignment", id: assignment)).first { $0.state.isOpen && $0.isToBeDone(by: user) }
    }

    /// An inspection that comes back as handed in has done its assignment, even if that was sent as open since.
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
    /// changed since. The inspection can be brought back all the same.
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
