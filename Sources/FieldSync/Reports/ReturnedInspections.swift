import FieldModels
import FieldRecords

/// The inspections, and filled forms, that supervisors have sent back to the person who has signed in.
public struct ReturnedInspections {
    private let field: FieldDatabase
    private let user: String?

    public init(to user: String?, in field: FieldDatabase) {
        self.user = user
        self.field = field
    }

    public func all() throws -> [ReturnedInspection] { try field.listing.unapprovedInspections().compactMap(returned) }

    /// - Parameter ids: inspections that a sync has pulled; those of other users, or in other states, are left out.
    public func among(_ ids: [String]) throws -> [ReturnedInspection] {
        try ids.compactMap { try field.inspections.findReadable($0).flatMap(returned) }
    }

    /// - Parameter ids: filled forms that a sync has pulled.
    public func amongResponses(_ ids: [String]) throws -> [ReturnedInspection] {
        try ids.compactMap { id in
            guard let response = try field.responses.findReadable(id), response.state == .hasIssues,
                response.isToBeDone(by: user)
            else { return nil }
            let comments = response.openComments.compactMap(\.why)
            return ReturnedInspection(
                reference: RecordReference(.response, id: id), title: response.title,
                review: comments.isEmpty ? nil : comments.joined(separator: "; "))
        }
    }

    private func returned(_ inspection: Inspection) throws -> ReturnedInspection? {
        guard inspection.status == .returned, inspection.isToBeDone(by: user) else { return nil }
        let reference = RecordReference(.inspection, id: inspection.id)
        return ReturnedInspection(
            reference: reference, title: try TitleWithSite(field.deletions).title(reference), review: inspection.review)
    }
}
