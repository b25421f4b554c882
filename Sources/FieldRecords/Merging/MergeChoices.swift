import DocumentValues
import FieldModels

/// Which side counts for what, decided once for the whole record, before its members are merged.
struct MergeChoices {
    /// Whose approval is kept as it was given: of two the gateway's, for it has asked whether its author may give one. An
    /// approval older than both sides counts if a supervisor has given it again, or has decided for it. `nil` if neither
    /// side approved, or the gateway's approval is unknown.
    let approval: MergeSide.Letter?
    /// Whose note of a review is kept where both sides have given the same: the gateway's; `nil` if that is unknown.
    let reviewer: MergeSide.Letter?
    /// From which side it is taken who changed the record last, when and where.
    let lastChange: MergeSide.Letter
    /// What becomes of the states of both; `nil` where they are the same, or one is unknown to this version.
    let status: StatusChoice?
    /// Of which side the current site is, where both have changed it; `nil` otherwise, and under an approval, of which
    /// nothing changes.
    let site: MergeSide.Letter?
    /// Whose value any field keeps where both have changed it: a person who does not approve cannot change an inspection
    /// that was approved before.
    private let keeper: MergeSide.Letter?
    /// The same for the members that say whose a record is: one that two people have brought back after its deletion
    /// keeps the district that it has at the gateway.
    private let keeperOfPlacing: MergeSide.Letter?

    init(_ versions: MergedVersions) {
        let isReviewed = MergedVersions.hasReviews(versions.kind)
        let step = LifeCycleStep.path(of: versions.kind).member
        let isApproved = versions.wasApproved && versions.isApproved(.a) && versions.isApproved(.b)
        keeper = isReviewed && isApproved ? versions.held : nil
        keeperOfPlacing = versions.base == nil ? versions.held : nil
        lastChange = Self.lastChange(versions)
        approval = isReviewed ? Self.approval(versions) : nil
        let isStatusSame = versions.a.object[step] == versions.b.object[step]
        reviewer = isReviewed && isStatusSame ? versions.held : nil
        status = StatusChoice(versions, approval: approval)
        let site = versions.field("site")
        let isOpen =
            approval == nil && site.a != nil && site.b != nil && !ValueOrder.isSame(site.a, and: site.b)
            && versions.hasChanged(site, side: .a) && versions.hasChanged(site, side: .b)
        self.site = isOpen ? Self.winner(of: site, keeper: keeper ?? keeperOfPlacing) : nil
    }

    /// The side whose value a field keeps where both have changed it, whatever the values are; `nil` for most fields.
    func keeper(of member: String) -> MergeSide.Letter? {
        keeper ?? (Self.placing.containsExactly(member) ? keeperOfPlacing : nil)
    }

    private static let placing = ["site", "district", "channels"]

    /// The side whose value is current where both have given a field a different one.
    func winner(of field: MergedField, ranks: [String]) -> MergeSide.Letter {
        Self.winner(of: field, keeper: keeper(of: field.path.member), ranks: ranks)
    }

    private static func winner(
        of field: MergedField, keeper: MergeSide.Letter?, ranks: [String] = []
    ) -> MergeSide.Letter {
        keeper ?? (ValueOrder.precedes(field.a, over: field.b, ranks: ranks) ? .b : .a)
    }

    // MARK: The approval

    /// How a side comes to be approved.
    private enum ApprovedBy {
        case nobody
        /// As it was before.
        case base
        case side
    }

    /// Of two approvals the gateway's is kept; if the base was approved, too, `keeper(of:)` decides which values stay.
    private static func approval(_ versions: MergedVersions) -> MergeSide.Letter? {
        switch (approved(.a, of: versions), approved(.b, of: versions)) {
        case (.side, .nobody): .a
        case (.nobody, .side): .b
        case (.side, .side): versions.wasApproved ? nil : versions.held
        case (.base, _), (_, .base), (.nobody, .nobody): nil
        }
    }

    private static func approved(_ side: MergeSide.Letter, of versions: MergedVersions) -> ApprovedBy {
        guard versions.isApproved(side) else { return .nobody }
        guard let base = versions.base, versions.wasApproved else { return .side }
        let step = LifeCycleStep.path(of: versions.kind)
        let isAgain = versions[side].changes.last(of: [step]) != base.changes.last(of: [step])
        return isAgain || versions.hasDecided(step, side: side) ? .side : .base
    }

    // MARK: The last change

    /// The side that was changed; if both were, the one with the later moment by its own clock. The clocks decide only
    /// this.
    private static func lastChange(_ versions: MergedVersions) -> MergeSide.Letter {
        let keys = (stampKey(versions.a.object), stampKey(versions.b.object))
        if let base = versions.base, keys.0 != keys.1 {
            let old = stampKey(base.object)
            if keys.0 == old { return .b }
            if keys.1 == old { return .a }
        }
        return keys.0.lexicographicallyPrecedes(keys.1) ? .b : .a
    }

    private static func stampKey(_ object: JSONObject) -> [UInt8] {
        ["changedAt", "changedBy", "device"].flatMap { ValueOrder.key(object[$0]) + [0] }
    }
}
