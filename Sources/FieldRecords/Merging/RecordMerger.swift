import DocumentValues
import FieldModels

/// One of the two versions.
struct MergeSide {
    /// Which of the two; nothing may depend on which is which.
    enum Letter {
        case a
        case b
    }

    let object: JSONObject
    let stamp: VersionStamp
    let contested: ContestedValues
    let changes: FieldChanges

    /// - Parameter base: the version that both came from, by which it is seen whose the fields are of which nothing is noted.
    init(_ object: JSONObject, since base: JSONObject? = nil, of kind: RecordKind? = nil) {
        self.object = object
        stamp = VersionStamp(of: object)
        contested = ContestedValues(of: object)
        let noted = FieldChanges(of: object)
        changes = base.map { noted.completed(object, since: $0, of: kind) } ?? noted
    }
}

/// Merges two live versions of a record, member by member; see `RecordMerge`.
struct RecordMerger {
    let kind: RecordKind?
    let base: MergeSide?
    let a: MergeSide
    let b: MergeSide
    /// Which side's approval is kept as it was given: of two the gateway's, for it has asked whether its author may give
    /// one. An approval older than both sides counts if a supervisor has given it again, or has decided for it. `nil` if
    /// neither side approved, or the gateway's approval is unknown.
    let approval: MergeSide.Letter?
    private let held: MergeSide.Letter?
    /// From which side it is taken who changed the record last, when and where.
    private let stampSide: MergeSide.Letter
    var contested: ContestedValues
    /// Fields of the base about which each side has decided, also where they are asked about again since.
    private let decidedByA: Set<FieldPath>
    private let decidedByB: Set<FieldPath>

    init(_ kind: RecordKind?, base: JSONObject?, a: JSONObject, b: JSONObject, held: MergeSide.Letter?) {
        self.kind = kind
        self.held = held
        self.base = base.map { MergeSide($0) }
        // Without any notes, only the person who changed a version last is known.
        let isNoted = [base, a, b].contains { $0?[FieldChanges.member] != nil }
        self.a = MergeSide(a, since: isNoted ? base : nil, of: kind)
        self.b = MergeSide(b, since: isNoted ? base : nil, of: kind)
        stampSide = Self.later(base: base, a, and: b)
        contested = ContestedValues.merge(base: self.base?.contested, self.a.contested, with: self.b.contested)
        decidedByA = Self.decided(by: self.a, beside: self.b, since: self.base)
        decidedByB = Self.decided(by: self.b, beside: self.a, since: self.base)
        let isApproved = (
            Self.isApproved(self.a, since: self.base, decided: decidedByA),
            Self.isApproved(self.b, since: self.base, decided: decidedByB)
        )
        let wasApproved = base?["status"] == Self.approvedStatus
        approval = kind == .inspection ? Self.approval(isApproved, held: wasApproved ? nil : held) : nil
    }

    /// The fields that a side has decided, and those that it asks about again after a decision of the other side.
    private static func decided(by side: MergeSide, beside other: MergeSide, since base: MergeSide?) -> Set<FieldPath> {
        guard let base else { return [] }
        let open = Set(base.contested.fields.keys)
        let settled = open.subtracting(other.contested.fields.keys)
        let askedAgain = settled.intersection(side.contested.fieldsAskedAgain(since: base.contested))
        return open.subtracting(side.contested.fields.keys).union(askedAgain)
    }

    /// The side whose value a field keeps where both have changed it. A person who does not approve cannot change an
    /// inspection that was approved before. A record that two people have brought back after its deletion keeps the
    /// district that it has at the gateway.
    func keeper(of member: String) -> MergeSide.Letter? {
        let isApproved = [base, a, b].allSatisfy { $0?.object["status"] == Self.approvedStatus }
        if kind == .inspection, isApproved { return held }
        return base == nil && Self.placing.containsExactly(member) ? held : nil
    }

    /// The members that say whose a record is.
    private static let placing = ["site", "district", "channels"]

    /// How a side comes to be approved.
    private enum ApprovedBy {
        case nobody
        /// As it was before.
        case base
        case side
    }

    private static func isApproved(
        _ side: MergeSide, since base: MergeSide?, decided: Set<FieldPath>
    ) -> ApprovedBy {
        guard side.object["status"] == approvedStatus else { return .nobody }
        guard let base, base.object["status"] == approvedStatus else { return .side }
        let status = [RecordConflict.status]
        let isAgain = side.changes.last(of: status) != base.changes.last(of: status)
        return isAgain || decided.contains(RecordConflict.status) ? .side : .base
    }

    /// - Parameter held: the side whose approval is kept of two. If the base was approved, too, `keeper(of:)` decides
    ///   which values stay.
    private static func approval(_ isApproved: (ApprovedBy, ApprovedBy), held: MergeSide.Letter?) -> MergeSide.Letter? {
        switch isApproved {
        case (.side, .nobody): .a
        case (.nobody, .side): .b
        case (.side, .side): held
        case (.base, _), (_, .base), (.nobody, .nobody): nil
        }
    }

    /// The side that was changed; if both were, the one with the later moment by its own clock. The clocks decide only
    /// this.
    private static func later(base: JSONObject?, _ a: JSONObject, and b: JSONObject) -> MergeSide.Letter {
        let keys = (stampKey(a), stampKey(b))
        if let base, keys.0 != keys.1 {
            let old = stampKey(base)
            if keys.0 == old { return .b }
            if keys.1 == old { return .a }
        }
        return keys.0.lexicographicallyPrecedes(keys.1) ? .b : .a
    }

    private static func stampKey(_ object: JSONObject) -> [UInt8] {
        ["changedAt", "changedBy", "device"].flatMap { ValueOrder.key(object[$0]) + [0] }
    }

    mutating func merge() -> JSONObject {
        var members: [JSONObject.Member] = []
        for field in MergedField.all(base: base?.object, a.object, and: b.object, in: nil) {
            if let value = merge(field) { members.append(JSONObject.Member(key: field.path.lastName, value: value)) }
        }
        var result = JSONObject(members: members)
        if let photos = result["photos"] { result["photos"] = PhotoNames.unique(photos, keeping: approvedPhotos) }
        contested.dropSettled(in: result)
        joinDistricts(&result)
        contested.write(to: &result)
        FieldChanges.merge(base: base, a, with: b, into: result, reviewer: reviewer).write(to: &result)
        return result
    }

    /// Whose review counts where both sides have given the same.
    private var reviewer: MergeSide? {
        guard kind == .inspection, a.object["status"] == b.object["status"] else { return nil }
        return switch held {
        case .a?: a
        case .b?: b
        case nil: nil
        }
    }

    /// The photos that a supervisor has approved, on either side or in the base, and those that the gateway has added since.
    private var approvedPhotos: JSONValue? {
        switch approval ?? keeper(of: "photos") {
        case .a: a.object["photos"]
        case .b: b.object["photos"]
        case nil: base?.object["status"] == Self.approvedStatus ? base?.object["photos"] : photosApprovedTwice
        }
    }

    /// If two supervisors have approved it, and the gateway's approval is unknown.
    private var photosApprovedTwice: JSONValue? {
        guard kind == .inspection, [a, b].allSatisfy({ $0.object["status"] == Self.approvedStatus }) else {
            return Optional.none
        }
        return ValueOrder.greater(a.object["photos"], and: b.object["photos"])
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
        case .channels: mergeChannels(field)
        case .status: mergeStatus(field)
        case .submission: mergeSubmission(field)
        case .approval: mergeApproval(field)
        case .stamp: stampSide == .a ? field.a : field.b
        case .conflicts, .fieldChanges: nil
        }
    }

    // MARK: One field

    /// The current value; where both sides have changed it to different ones, both are kept among the contested.
    mutating func settle(_ field: MergedField, ranks: [String] = []) -> JSONValue? {
        if ValueOrder.isSame(field.a, and: field.b) { return ValueOrder.greater(field.a, and: field.b) }
        switch (hasChanged(field, side: .a), hasChanged(field, side: .b), approval) {
        case (true, false, .a), (true, false, nil): return field.a
        case (false, true, .b), (false, true, nil): return field.b
        case (_, _, let approval?): return contest(field, winner: approval)
        case (true, true, nil), (false, false, nil):
            let greater: MergeSide.Letter = ValueOrder.precedes(field.a, over: field.b, ranks: ranks) ? .b : .a
            return contest(field, winner: keeper(of: field.path.member) ?? greater)
        }
    }

    /// Deciding a conflict is a change, also where the value that stood was confirmed.
    func hasChanged(_ field: MergedField, side: MergeSide.Letter) -> Bool {
        switch side {
        case .a: !ValueOrder.isSame(field.a, and: field.base) || decidedByA.contains(field.path)
        case .b: !ValueOrder.isSame(field.b, and: field.base) || decidedByB.contains(field.path)
        }
    }

    /// Whether a person has decided on this side about a question that both sides had, or has given the field a value
    /// that settled the question.
    func hasDecided(_ path: FieldPath, side: MergeSide.Letter) -> Bool {
        switch side {
        case .a: decidedByA.contains(path)
        case .b: decidedByB.contains(path)
        }
    }

    mutating func contest(_ field: MergedField, winner: MergeSide.Letter) -> JSONValue? {
        for (side, value) in [(a, field.a), (b, field.b)] {
            let stamp = side.contested.stamp(of: value, at: field.path) ?? author(of: value, at: field, on: side)
            contested.insert(ContestedValue(.field(field.path), value: value, stamp: stamp))
        }
        return winner == .a ? field.a : field.b
    }

    /// The person whose value a side has. A photo is kept by the person who has changed it or approved the inspection, not
    /// always by the person who attached it.
    private func author(of value: JSONValue?, at field: MergedField, on side: MergeSide) -> VersionStamp {
        // A missing reason has no author, unless a person has decided that there is none.
        if field.path == RecordConflict.review, value == nil, field.base == nil,
            side.changes.last(of: [field.path]) == base?.changes.last(of: [field.path])
        {
            return VersionStamp(by: nil, at: nil, device: nil)
        }
        if field.path.isItem, let value {
            let item = MergedField(path: field.path, base: nil, a: field.base, b: value)
            let changed = (item.members ?? []).filter { !ValueOrder.isSame($0.a, and: $0.b) }
            let isApproved = kind == .inspection && side.object["status"] == Self.approvedStatus
            let approved = changed.isEmpty && isApproved ? [FieldPath("status")] : []
            let paths = changed.map(\.path) + approved + [FieldChanges.keeping(field.path)]
            if let keeper = side.changes.last(of: paths) { return keeper }
        }
        return side.changes.stamp(at: field.path, in: side.object)
    }

    private static let approvedStatus = JSONValue.string(Inspection.Status.approved.rawValue)

    // MARK: Fields within a field

    private mutating func settleMembers(_ field: MergedField) -> JSONValue? {
        guard let members = field.members else { return settle(field) }
        var merged: [JSONObject.Member] = []
        for member in members {
            if let value = settle(member) {
                merged.append(JSONObject.Member(key: member.path.lastName, value: value))
            }
        }
        if merged.isEmpty, field.a == nil || field.b == nil { return Optional.none }
        return .object(JSONObject(members: merged))
    }

    private static func mergeMembersQuietly(_ field: MergedField) -> JSONValue? {
        guard let members = field.members else { return field.quietly }
        let merged = members.compactMap { member in
            member.quietly.map { JSONObject.Member(key: member.path.lastName, value: $0) }
        }
        if merged.isEmpty { return Optional.none }
        return .object(JSONObject(members: merged))
    }
}
