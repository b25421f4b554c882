import DocumentValues
import FieldModels

/// The inspections that were begun and are not handed in yet, by the assignment that they are for: of each assignment the
/// user's own, or else another user's.
public struct BegunInspections: Sendable, Hashable {
    private var inspections: [Name: Inspection] = [:]

    init() {}

    /// - Parameter user: the user whose inspections count first; `nil` if no user has signed in: those of all users do.
    init(_ all: [Inspection], user: String?) {
        func isOwn(_ inspection: Inspection) -> Bool { user.map { inspection.isWork(of: $0) } ?? true }
        for inspection in all where inspection.status.isOpen {
            guard let assignment = inspection.assignment.map({ Name($0) }) else { continue }
            if let first = inspections[assignment], isOwn(first) || !isOwn(inspection) { continue }
            inspections[assignment] = inspection
        }
    }

    /// - Parameter id: of an assignment.
    public subscript(assignment id: String) -> Inspection? { inspections[Name(id)] }
}

extension Work {
    /// - Parameter user: the user whose inspections count first; `nil` if no user has signed in: those of all users do.
    public func begunInspections(for user: String?) throws -> BegunInspections {
        BegunInspections(try inspections.all(where: .unapproved), user: user)
    }
}
