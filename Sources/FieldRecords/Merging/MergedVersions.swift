import DocumentValues
import FieldModels

/// Two versions of a record and the one that both came from, and what each side did since.
struct MergedVersions {
    let kind: RecordKind?
    /// `nil` where it is not known.
    let base: MergeSide?
    let a: MergeSide
    let b: MergeSide
    /// The side that the gateway has; `nil` where that is not known.
    let held: MergeSide.Letter?
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
        decidedByA = Self.decided(by: self.a, beside: self.b, since: self.base)
        decidedByB = Self.decided(by: self.b, beside: self.a, since: self.base)
    }

    /// The fields that a side has decided, and those that it asks about again after a decision of the other side.
    private static func decided(by side: MergeSide, beside other: MergeSide, since base: MergeSide?) -> Set<FieldPath> {
        guard let base else { return [] }
        let open = Set(base.contested.fields.keys)
        let settled = open.subtracting(other.contested.fields.keys)
        let askedAgain = settled.intersection(side.contested.fieldsAskedAgain(since: base.contested))
        return open.subtracting(side.contested.fields.keys).union(askedAgain)
    }

    subscript(_ side: MergeSide.Letter) -> MergeSide {
        switch side {
        case .a: a
        case .b: b
        }
    }

    /// A member of the record.
    func field(_ member: String) -> MergedField {
        MergedField(
            path: FieldPath(member), base: base?.object[member], a: a.object[member], b: b.object[member])
    }

    /// Deciding a conflict is a change, also where the value that stood was confirmed.
    func hasChanged(_ field: MergedField, side: MergeSide.Letter) -> Bool {
        !ValueOrder.isSame(field[side], and: field.base) || hasDecided(field.path, side: side)
    }

    /// Whether a person has decided on this side about a question that both sides had, or has given the field a value
    /// that settled the question.
    func hasDecided(_ path: FieldPath, side: MergeSide.Letter) -> Bool {
        switch side {
        case .a: decidedByA.contains(path)
        case .b: decidedByB.contains(path)
        }
    }

    /// Whether a person has decided on this side, or has given one of the contested values, even the current one once more.
    func hasAnswered(_ field: MergedField, side: MergeSide.Letter) -> Bool {
        if hasDecided(field.path, side: side) { return true }
        guard let base else { return false }
        let value = field[side]
        let isGiven =
            !ValueOrder.isSame(value, and: field.base)
            || self[side].changes.last(of: [field.path]) != base.changes.last(of: [field.path])
        return isGiven && base.contested.stamp(of: value, at: field.path) != nil
    }

    func isApproved(_ side: MergeSide.Letter) -> Bool { Self.isApproved(self[side].object) }

    var wasApproved: Bool { base.map { Self.isApproved($0.object) } ?? false }

    static func isApproved(_ object: JSONObject) -> Bool {
        let kind = object["type"]?.stringValue.flatMap { RecordKind(exactly: $0) }
        return object[LifeCycleStep.path(of: kind).member] == .string(Inspection.Status.approved.rawValue)
    }

    /// Whether supervisors review records of this kind.
    static func hasReviews(_ kind: RecordKind?) -> Bool {
        switch kind {
        case .inspection, .response: true
        case .site, .finding, .form, .assignment, nil: false
        }
    }
}
