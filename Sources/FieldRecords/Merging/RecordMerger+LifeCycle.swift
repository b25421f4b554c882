import DocumentValues
import FieldModels

/// The states of inspections and assignments; see `LifeCycleOrder`.
extension RecordMerger {
    private enum Outcome {
        case settled(MergeSide.Letter)
        /// Both are among the contested values.
        case contested(winner: MergeSide.Letter)

        var winner: MergeSide.Letter {
            switch self {
            case .settled(let side), .contested(let side): side
            }
        }
    }

    mutating func mergeStatus(_ field: MergedField) -> JSONValue? {
        if ValueOrder.isSame(field.a, and: field.b) { return field.a }
        guard let outcome = outcome(field) else { return settle(field) }
        switch outcome {
        case .settled(let side):
            askStill(field, keeping: side)
            return side == .a ? field.a : field.b
        case .contested(let side): return contest(field, winner: side)
        }
    }

    /// The moment belongs to the state.
    func mergeSubmission(_ field: MergedField) -> JSONValue? {
        switch sideOfStatus {
        case .a?: field.a ?? field.b
        case .b?: field.b ?? field.a
        case nil: field.quietly
        }
    }

    /// The approved content belongs to the approval: if another state is kept, there is none.
    func mergeApproval(_ field: MergedField) -> JSONValue? {
        switch sideOfStatus {
        case .a?: field.a
        case .b?: field.b
        case nil: field.quietly
        }
    }

    /// The side whose state is kept; `nil` where both have the same, or one that this version does not know.
    private var sideOfStatus: MergeSide.Letter? {
        let path = FieldPath("status")
        let status = MergedField(
            path: path, base: base.flatMap { path.read($0.object) }, a: path.read(a.object), b: path.read(b.object))
        guard !ValueOrder.isSame(status.a, and: status.b) else { return nil }
        return outcome(status)?.winner
    }

    /// `nil` for states that this version of the program does not know.
    private func outcome(_ field: MergedField) -> Outcome? {
        switch kind {
        case .inspection: inspectionOutcome(field)
        case .assignment: assignmentOutcome(field)
        case .site, .finding, .form, nil: nil
        }
    }

    private func inspectionOutcome(_ field: MergedField) -> Outcome? {
        guard let a = Self.status(field.a), let b = Self.status(field.b) else { return nil }
        let old = Self.status(field.base) ?? .draft
        let isAgain = (isResubmitted(self.a), isResubmitted(self.b))
        let steps = (
            LifeCycleOrder.steps(from: old, to: a, isResubmitted: isAgain.0),
            LifeCycleOrder.steps(from: old, to: b, isResubmitted: isAgain.1)
        )
        if let approval { return outcome(ofApproval: approval, field, steps: steps) }
        let ranks = (LifeCycleOrder.rank(a), LifeCycleOrder.rank(b))
        // Handing it in again answers a return, and does not overrule the person who returned it.
        let isAnswered =
            ((a, b) == (.returned, .submitted) && isAgain.1) || ((a, b) == (.submitted, .returned) && isAgain.0)
        return isAnswered ? stepped(field, steps: steps, ranks: ranks) : outcome(field, steps: steps, ranks: ranks)
    }

    private func outcome(ofApproval approval: MergeSide.Letter, _ field: MergedField, steps: (Int, Int)) -> Outcome {
        let (own, other) = approval == .a ? (steps.0, steps.1) : (steps.1, steps.0)
        let isOpposed = (other >= own && other > 0) || hasAnswered(field, side: approval == .a ? .b : .a)
        return isOpposed ? .contested(winner: approval) : .settled(approval)
    }

    private func assignmentOutcome(_ field: MergedField) -> Outcome? {
        guard let a = field.a?.stringValue.flatMap({ Assignment.Status(exactly: $0) }),
            let b = field.b?.stringValue.flatMap({ Assignment.Status(exactly: $0) })
        else { return nil }
        let old = field.base?.stringValue.flatMap { Assignment.Status(exactly: $0) } ?? .open
        return outcome(
            field, steps: (a == old ? 0 : 1, b == old ? 0 : 1),
            ranks: (LifeCycleOrder.rank(a), LifeCycleOrder.rank(b)))
    }

    /// If two people have answered one question differently, neither overrules the other, however far the states are from the
    /// one before.
    private func outcome(_ field: MergedField, steps: (Int, Int), ranks: (Int, Int)) -> Outcome {
        guard hasAnswered(field, side: .a), hasAnswered(field, side: .b) else {
            return stepped(field, steps: steps, ranks: ranks)
        }
        return .contested(winner: ranks.0 > ranks.1 ? .a : .b)
    }

    /// Whether a person has decided on this side, or has given one of the contested states, even the current one once more.
    private func hasAnswered(_ field: MergedField, side: MergeSide.Letter) -> Bool {
        if hasDecided(field.path, side: side) { return true }
        guard let base else { return false }
        let (value, changes) = side == .a ? (field.a, a.changes) : (field.b, b.changes)
        let isGiven =
            !ValueOrder.isSame(value, and: field.base)
            || changes.last(of: [field.path]) != base.changes.last(of: [field.path])
        return isGiven && base.contested.stamp(of: value, at: field.path) != nil
    }

    /// A person who decided that an assignment is done, and not dropped, has not decided about its content in case it is
    /// open again.
    private mutating func askStill(_ field: MergedField, keeping side: MergeSide.Letter) {
        let (kept, other, decided) = side == .a ? (a, MergeSide.Letter.b, field.b) : (b, .a, field.a)
        guard kind == .assignment, hasDecided(field.path, side: other), !hasDecided(field.path, side: side),
            decided == .string(Assignment.Status.done.rawValue)
        else { return }
        for value in kept.contested.fields[field.path] ?? [] { contested.insert(value) }
    }

    private func stepped(_ field: MergedField, steps: (Int, Int), ranks: (Int, Int)) -> Outcome {
        switch (steps.0 > 0 || hasChanged(field, side: .a), steps.1 > 0 || hasChanged(field, side: .b)) {
        case (true, false): return .settled(.a)
        case (false, true): return .settled(.b)
        case (true, true), (false, false): break
        }
        if steps.0 != steps.1 { return .settled(steps.0 > steps.1 ? .a : .b) }
        return .contested(winner: ranks.0 > ranks.1 ? .a : .b)
    }

    private func isResubmitted(_ side: MergeSide) -> Bool {
        guard let base else { return false }
        return !ValueOrder.isSame(side.object["submittedAt"], and: base.object["submittedAt"])
    }

    private static func status(_ value: JSONValue?) -> Inspection.Status? {
        value?.stringValue.flatMap { Inspection.Status(exactly: $0) }
    }
}
