import FieldModels
import FieldRecords

/// The inspections that supervisors have sent back to the person who has signed in.
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

    private func returned(_ inspection: Inspection) throws -> ReturnedInspection? {
        guard inspection.status == .returned, inspection.isToBeDone(by: user) else { return nil }
        let reference = RecordReference(.inspection, id: inspection.id)
        return ReturnedInspection(
            reference: reference, title: try TitleWithSite(field.deletions).title(reference), review: inspection.review)
    }
}
