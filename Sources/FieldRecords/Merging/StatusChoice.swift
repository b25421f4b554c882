import DocumentValues
import FieldModels

/// What becomes of two states of an inspection, a filled form or an assignment; see `LifeCycleOrder`.
enum StatusChoice {
    case settled(MergeSide.Letter)
    /// Both are among the contested values.
    case contested(winner: MergeSide.Letter)

    /// The side whose state is kept.
    var winner: MergeSide.Letter {
        switch self {
        case .settled(let side), .contested(let side): side
        }
    }

    /// - Parameter approval: the side whose approval is kept.
    /// - Returns: `nil` for equal states, and for some that this version of the program does not know.
    init?(_ versions: MergedVersions, approval: MergeSide.Letter?) {
        let field = versions.field(LifeCycleStep.path(of: versions.kind).member)
        guard !ValueOrder.isSame(field.a, and: field.b) else { return nil }
        let steps = StatusSteps(versions: versions, field: field)
        switch versions.kind {
        case .inspection, .response:
            guard let choice = steps.ofReviewed(approval: approval) else { return nil }
            self = choice
        case .assignment:
            guard let choice = steps.ofAssignment() else { return nil }
            self = choice
        case .site, .finding, .form, nil: return nil
        }
    }
}

/// How far each side has gone from the state that both knew.
private struct StatusSteps {
    let versions: MergedVersions
    let field: MergedField

    /// Of an inspection or a filled form. Two states of a form that are equally far are two values, as any others.
    func ofReviewed(approval: MergeSide.Letter?) -> StatusChoice? {
        guard let a = status(field.a), let b = status(field.b), a != b || approval != nil else { return nil }
        // A draft of a form is on its author's laptop alone, and goes on where it was returned.
        if versions.kind == .response, (a, b) == (.draft, .returned) { return .settled(.b) }
        if versions.kind == .response, (a, b) == (.returned, .draft) { return .settled(.a) }
        let old = status(field.base) ?? .draft
        let isAgain = (isResubmitted(.a), isResubmitted(.b))
        let steps = (
            LifeCycleOrder.steps(from: old, to: a, isResubmitted: isAgain.0),
            LifeCycleOrder.steps(from: old, to: b, isResubmitted: isAgain.1)
        )
        if let approval { return choice(ofApproval: approval, steps: steps) }
        let ranks = (LifeCycleOrder.rank(a), LifeCycleOrder.rank(b))
        // Handing it in again answers a return, and does not overrule the person who returned it.
        let isAnswered =
            ((a, b) == (.returned, .submitted) && isAgain.1) || ((a, b) == (.submitted, .returned) && isAgain.0)
        return isAnswered ? stepped(steps, ranks: ranks) : choice(steps: steps, ranks: ranks)
    }

    func ofAssignment() -> StatusChoice? {
        guard let a = field.a?.stringValue.flatMap({ Assignment.Status(exactly: $0) }),
            let b = field.b?.stringValue.flatMap({ Assignment.Status(exactly: $0) })
        else { return nil }
        let old = field.base?.stringValue.flatMap { Assignment.Status(exactly: $0) } ?? .open
        return choice(
            steps: (a == old ? 0 : 1, b == old ? 0 : 1), ranks: (LifeCycleOrder.rank(a), LifeCycleOrder.rank(b)))
    }

    private func choice(ofApproval approval: MergeSide.Letter, steps: (Int, Int)) -> StatusChoice {
        let (own, other) = approval == .a ? (steps.0, steps.1) : (steps.1, steps.0)
        let isOpposed = (other >= own && other > 0) || versions.hasAnswered(field, side: approval.other)
        return isOpposed ? .contested(winner: approval) : .settled(approval)
    }

    /// If two people have answered one question differently, neither overrules the other, however far the states are from the
    /// one before.
    private func choice(steps: (Int, Int), ranks: (Int, Int)) -> StatusChoice {
        guard versions.hasAnswered(field, side: .a), versions.hasAnswered(field, side: .b) else {
            return stepped(steps, ranks: ranks)
        }
        return .contested(winner: ranks.0 > ranks.1 ? .a : .b)
    }

    private func stepped(_ steps: (Int, Int), ranks: (Int, Int)) -> StatusChoice {
        switch (
            steps.0 > 0 || versions.hasChanged(field, side: .a), steps.1 > 0 || versions.hasChanged(field, side: .b)
        ) {
        case (true, false): return .settled(.a)
        case (false, true): return .settled(.b)
        case (true, true), (false, false): break
        }
        if steps.0 != steps.1 { return .settled(steps.0 > steps.1 ? .a : .b) }
        return .contested(winner: ranks.0 > ranks.1 ? .a : .b)
    }

    private func isResubmitted(_ side: MergeSide.Letter) -> Bool {
        guard let base = versions.base else { return false }
        let member = versions.kind == .response ? Response.Key.instanceID.rawValue : "submittedAt"
        return !ValueOrder.isSame(versions[side].object[member], and: base.object[member])
    }

    private func status(_ value: JSONValue?) -> Inspection.Status? {
        LifeCycleStep.status(value, of: versions.kind)
    }
}
