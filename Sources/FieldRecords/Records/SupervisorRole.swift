import DocumentStore
import DocumentValues
import FieldModels

/// Whether a user is a supervisor, judged by the records of a laptop: no laptop knows its user's roles.
public enum SupervisorRole: Sendable, Hashable {
    /// Has given out work, or has approved or returned an inspection.
    case known
    /// Has neither inspected anything nor been assigned to, as on the first day.
    case possible
    /// Has work of their own, and has never supervised.
    case unlikely

    init(of user: String, assignments: [Assignment], inspections: [Inspection]) {
        let hasSupervised =
            assignments.contains { $0.envelope.createdBy?.isExactly(user) == true }
            || inspections.contains { $0.reviewed?.by?.isExactly(user) == true }
        // Any user can name any other in their own inspection; assignments come only from supervisors.
        let hasWork =
            assignments.contains { $0.inspector.isExactly(user) }
            || inspections.contains { $0.isWork(of: user) && $0.envelope.createdBy?.isExactly(user) != false }
        self = hasSupervised ? .known : hasWork ? .unlikely : .possible
    }
}

extension RecordStore {
    /// Reads all assignments, the inspections that name the user, and whether filled forms do.
    public func supervisorRole(of user: String) throws -> SupervisorRole {
        let role = SupervisorRole(
            of: user, assignments: try assignments.all().records,
            inspections: try inspections.all(where: .touched(by: user)))
        switch role {
        case .known: return .known
        case .unlikely: return try hasResponse(.reviewed, by: user) ? .known : .unlikely
        case .possible:
            if try hasResponse(.reviewed, by: user) { return .known }
            return try hasResponse(.begun, by: user) ? .unlikely : .possible
        }
    }

    private enum ResponseRole: String {
        case begun = "createdBy = $user"
        case reviewed =
            "ANY step IN history SATISFIES step.action IN ['approved', 'returned'] AND step.`by` = $user END"
    }

    private func hasResponse(_ role: ResponseRole, by user: String) throws -> Bool {
        let query = try database.createQuery(
            "SELECT META().id FROM \(collection(of: .response).fullName) WHERE \(role.rawValue) LIMIT 1")
        query.parameters = Parameters().setString(user, forName: "user")
        var isThere = false
        try query.forEachRow { _ in isThere = true }
        return isThere
    }
}
