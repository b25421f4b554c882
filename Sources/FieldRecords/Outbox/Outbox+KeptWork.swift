import DocumentStore
import DocumentValues
import FieldModels

/// A gateway refuses an assignment as a whole: with fields that only supervisors change also the note that its work is
/// done.
extension Outbox {
    /// The inspection by which a refused assignment is done, and stays so when the rest is given up: the note that it is done
    /// was not refused, and the author may make it.
    ///
    /// - Returns: `nil` where nothing else was changed, or the inspection is not handed in here.
    public func inspectionKept(discarding record: RefusedRecord, by author: Author) throws -> Inspection? {
        guard record.kind == .assignment, record.change == .edit,
            let assignment = try assignments.findReadable(record.documentID), assignment.status == .done,
            let known = try gatewayBody(of: .assignment, record.documentID), isOpen(known, inspector: author.name),
            !assignment.object.hasSameContent(as: known, besides: ["status", "inspection"]),
            let inspection = try assignment.inspection.flatMap({ try inspections.findReadable($0) }),
            !inspection.status.isOpen, inspection.assignment.isExactly(assignment.id)
        else { return nil }
        return inspection
    }

    /// - Parameters:
    ///   - body: of an assignment.
    ///   - inspector: the only inspector that counts; `nil` for all.
    private func isOpen(_ body: JSONObject, inspector: String?) -> Bool {
        let isOwn = inspector.map { body["inspector"]?.stringValue?.isExactly($0) == true } ?? true
        return isOwn && body["status"]?.stringValue.flatMap { Assignment.Status(exactly: $0) } == .open
    }
}
