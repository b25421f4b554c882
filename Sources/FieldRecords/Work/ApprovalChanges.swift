import DocumentStore
import DocumentValues
import FieldModels

/// The changes of the findings and photos of an approved inspection since the approval. They do not depend on a clock: the
/// present ones are compared with those that the approval noted.
public struct ApprovalChanges: Sendable, Hashable {
    public let inspection: Inspection
    public let changed: [Finding]
    public let added: [Finding]
    /// Ids of those that are not here any more.
    public let removed: [Name]
    /// How many findings there are now, where they are not those that were approved and the approval noted too many to say
    /// which ones differ; `nil` where that is known.
    public let unlisted: Int?
    /// New ones, and those with another name, caption or file than was approved.
    public let photos: [Photo]

    /// `nil` if there are no changes, if the inspection is not approved, and if a program approved it without noting
    /// findings or photos.
    ///
    /// - Parameters:
    ///   - findings: those of the inspection, as they are now.
    ///   - unreadable: ids of findings that are here, and cannot be read: their content is unknown.
    public init?(of inspection: Inspection, _ findings: [Finding], unreadable: Set<Name> = []) {
        guard inspection.status == .approved else { return nil }
        self.inspection = inspection
        switch inspection.approvedFindings {
        case .each(let approved)?:
            let digests = Dictionary(approved.members.map { (Name($0.key), $0.value) }, uniquingKeysWith: { $1 })
            let present = unreadable.union(findings.map { Name($0.id) })
            added = findings.filter { digests[Name($0.id)] == nil }
            changed = findings.filter { finding in
                guard let digest = digests[Name(finding.id)] else { return false }
                return digest != .string(ApprovedFindings.digest(of: finding))
            }
            removed = digests.keys.filter { !present.contains($0) }.sorted()
            unlisted = nil
        case .all(let approved)?:
            (added, changed, removed) = ([], [], [])
            unlisted = ApprovedFindings.digest(of: findings) == approved ? nil : findings.count
        case nil:
            (added, changed, removed) = ([], [], [])
            unlisted = nil
        }
        photos = inspection.approvedPhotos.map { Self.photos(of: inspection, besides: $0) } ?? []
        if added.isEmpty, changed.isEmpty, removed.isEmpty, unlisted == nil, photos.isEmpty { return nil }
    }

    private static func photos(of inspection: Inspection, besides approved: [String]) -> [Photo] {
        let digests = Set(approved.map { Name($0) })
        return inspection.photos.filter { !digests.contains(Name(ApprovedPhotos.digest(of: $0))) }
    }

    /// `1 changed, 2 new, 1 gone, 1 new photo`.
    public var counts: String {
        let counted = [
            (changed.count, "changed"), (added.count, "new"), (removed.count, "gone"),
            (photos.count, photos.count == 1 ? "new photo" : "new photos"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let uncounted = unlisted.map { ["some of its findings (\($0) now)"] } ?? []
        return (uncounted + counted).joined(separator: ", ")
    }

    /// Whether one of these findings is among those that differ, or may be if it is unknown which ones do.
    public func concerns(_ findings: Set<Name>) -> Bool {
        if unlisted != nil { return !findings.isEmpty }
        return (changed + added).contains { findings.contains(Name($0.id)) }
            || removed.contains { findings.contains($0) }
    }
}

extension InspectionLifeCycle {
    /// The changes of one inspection since its approval; `nil` if there are none, or it is not approved.
    public func approvalChanges(of inspection: Inspection) throws -> ApprovalChanges? {
        guard inspection.status == .approved, inspection.notesWhatWasApproved else { return nil }
        let all = try findings.all(ofInspection: inspection.id)
        return ApprovalChanges(of: inspection, all.records, unreadable: Set(all.unreadable.map { Name($0.id) }))
    }

    /// All approved inspections whose findings or photos have changed since, in the order of their days.
    public func changedApprovals() throws -> [ApprovalChanges] {
        let approved = try inspections.all(where: .approvalNoted)
            .filter { $0.status == .approved && $0.notesWhatWasApproved }
        guard !approved.isEmpty else { return [] }
        let all = try findings.all(ofInspections: Set(approved.map { Name($0.id) }))
        let unreadable = Set(all.unreadable.map { Name($0.id) })
        let findings = Dictionary(grouping: all.records) { $0.inspection.map { Name($0) } }
        return approved.compactMap { ApprovalChanges(of: $0, findings[Name($0.id)] ?? [], unreadable: unreadable) }
            .sorted { ($0.inspection.date, Name($0.inspection.id)) < ($1.inspection.date, Name($1.inspection.id)) }
    }
}

extension Inspection {
    fileprivate var notesWhatWasApproved: Bool { approvedFindings != nil || approvedPhotos != nil }
}
