import DocumentValues
import FieldModels

/// Merges two live versions of a record, member by member; see `RecordMerge`.
struct RecordMerger {
    let versions: MergedVersions
    let choices: MergeChoices
    var contested: ContestedValues

    init(_ versions: MergedVersions) {
        self.versions = versions
        choices = MergeChoices(versions)
        contested = ContestedValues.merge(
            base: versions.base?.contested, versions.a.contested, with: versions.b.contested)
    }

    private var kind: RecordKind? { versions.kind }

    mutating func merge() -> JSONObject {
        let (a, b) = (versions.a, versions.b)
        var members: [JSONObject.Member] = []
        for field in MergedField.all(base: versions.base?.object, a.object, and: b.object, in: nil) {
            if let value = merge(field) { members.append(JSONObject.Member(key: field.path.lastName, value: value)) }
        }
        var result = JSONObject(members: members)
        if let photos = result["photos"] { result["photos"] = PhotoNames.unique(photos, keeping: approvedPhotos) }
        contested.dropSettled(in: result)
        joinDistricts(&result)
        contested.write(to: &result)
        let reviewer = choices.reviewer.map { versions[$0] }
        FieldChanges.merge(base: versions.base, a, with: b, into: result, reviewer: reviewer).write(to: &result)
        return result
    }

    /// The photos that a supervisor has approved, on either side or in the base, and those that the gateway has added since.
    private var approvedPhotos: JSONValue? {
        if let side = choices.approval ?? choices.keeper(of: "photos") { return versions[side].object["photos"] }
        return versions.wasApproved ? versions.base?.object["photos"] : photosApprovedTwice
    }

    /// If two supervisors have approved it, and the gateway's approval is unknown.
    private var photosApprovedTwice: JSONValue? {
        guard MergedVersions.hasReviews(kind), versions.isApproved(.a), versions.isApproved(.b) else { return nil }
        return ValueOrder.greater(versions.a.object["photos"], and: versions.b.object["photos"])
    }

    private mutating func merge(_ field: MergedField) -> JSONValue? {
        switch MergeRule(field.path.member, of: kind) {
        case .value: settle(field)
        case .district: settleDistrict(field)
        case .ranked(let ranks): settle(field, ranks: ranks)
        case .quiet, .following: field.quietly
        case .members: settleMembers(field)
        case .quietMembers: Self.mergeMembersQuietly(field)
        case .items: mergeItems(field)
        case .entries: Self.mergeEntries(field)
        case .channels: mergeChannels(field)
        case .status: mergeStatus(field)
        case .submission: mergeSubmission(field)
        case .approval: mergeApproval(field)
        case .stamp: field[choices.lastChange]
        case .conflicts, .fieldChanges: nil
        }
    }

    // MARK: One field

    /// The current value; where both sides have changed it to different ones, both are kept among the contested.
    mutating func settle(_ field: MergedField, ranks: [String] = []) -> JSONValue? {
        if ValueOrder.isSame(field.a, and: field.b) { return ValueOrder.greater(field.a, and: field.b) }
        let hasChanged = (versions.hasChanged(field, side: .a), versions.hasChanged(field, side: .b))
        switch (hasChanged.0, hasChanged.1, choices.approval) {
        case (true, false, .a), (true, false, nil): return field.a
        case (false, true, .b), (false, true, nil): return field.b
        case (_, _, let approval?): return contest(field, winner: approval)
        case (true, true, nil), (false, false, nil):
            return contest(field, winner: choices.winner(of: field, ranks: ranks))
        }
    }

    mutating func contest(_ field: MergedField, winner: MergeSide.Letter) -> JSONValue? {
        for letter in [MergeSide.Letter.a, .b] {
            let (side, value) = (versions[letter], field[letter])
            let stamp = side.contested.stamp(of: value, at: field.path) ?? author(of: value, at: field, on: side)
            contested.insert(ContestedValue(.field(field.path), value: value, stamp: stamp))
        }
        return field[winner]
    }

    /// The person whose value a side has. A photo is kept by the person who has changed it or approved the inspection, not
    /// always by the person who attached it.
    private func author(of value: JSONValue?, at field: MergedField, on side: MergeSide) -> VersionStamp {
        // A missing reason has no author, unless a person has decided that there is none.
        if field.path == RecordConflict.review, value == nil, field.base == nil,
            side.changes.last(of: [field.path]) == versions.base?.changes.last(of: [field.path])
        {
            return VersionStamp(by: nil, at: nil, device: nil)
        }
        if field.path.isItem, let value {
            let item = MergedField(path: field.path, base: nil, a: field.base, b: value)
            let changed = (item.members ?? []).filter { !ValueOrder.isSame($0.a, and: $0.b) }
            let isApproved = kind == .inspection && MergedVersions.isApproved(side.object)
            let approved = changed.isEmpty && isApproved ? [RecordConflict.status] : []
            let paths = changed.map(\.path) + approved + [FieldChanges.keeping(field.path)]
            if let keeper = side.changes.last(of: paths) { return keeper }
        }
        return side.changes.stamp(at: field.path, in: side.object)
    }

    // MARK: Fields within a field

    private mutating func settleMembers(_ field: MergedField) -> JSONValue? {
        guard let members = field.members else { return settle(field) }
        var merged: [JSONObject.Member] = []
        for member in members {
            if let value = settle(member) {
                merged.append(JSONObject.Member(key: member.path.lastName, value: value))
            }
        }
        if merged.isEmpty, field.a == nil || field.b == nil { return nil }
        return .object(JSONObject(members: merged))
    }

    private static func mergeMembersQuietly(_ field: MergedField) -> JSONValue? {
        guard let members = field.members else { return field.quietly }
        let merged = members.compactMap { member in
            member.quietly.map { JSONObject.Member(key: member.path.lastName, value: $0) }
        }
        if merged.isEmpty { return nil }
        return .object(JSONObject(members: merged))
    }
}
