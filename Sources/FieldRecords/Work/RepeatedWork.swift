import DocumentValues
import FieldModels

/// Several inspections of one assignment, while one of them is still being worked on: two laptops have begun it.
public struct RepeatedWork: Sendable {
    /// The assignment, which may not be here.
    public let assignment: RecordReference
    public let inspections: [Inspection]
}

extension Work {
    /// Assignments with several inspections, of which the user still has to do one. Reads all inspections.
    ///
    /// - Parameter ids: inspections that a sync has brought; assignments without one of them are left out.
    public func repeatedWork(of user: String, touchedBy ids: [String]) throws -> [RepeatedWork] {
        guard !ids.isEmpty else { return [] }
        let touched = Set(ids.map { Name($0) })
        var groups: [Name: [Inspection]] = [:]
        for inspection in try inspections.all().records {
            if let assignment = inspection.assignment { groups[Name(assignment), default: []].append(inspection) }
        }
        return groups.filter { group in
            group.value.count > 1 && group.value.contains { touched.contains(Name($0.id)) }
                && group.value.contains { $0.status.isOpen && $0.isToBeDone(by: user) }
        }
        .sorted { $0.key < $1.key }
        .map { RepeatedWork(assignment: RecordReference(.assignment, id: $0.key.text), inspections: $0.value) }
    }
}
