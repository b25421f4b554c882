import DocumentValues
import FieldModels

/// How the states of inspections and assignments merge: by the number of steps of each side from the state that both
/// knew.
///
/// | from \ to | draft | submitted | returned | approved |
/// |-----------|-------|-----------|----------|----------|
/// | draft     | 0     | 1         | 2        | 2        |
/// | submitted | 1     | 0, again 2 | 1, again 3 | 1, again 3 |
/// | returned  | 1     | 1         | 0, again 2 | 2        |
/// | approved  | 1     | 1         | 1        | 0        |
///
/// "Again": the inspection was handed in once more since the base. The side that has gone further wins; an approval of
/// one side always wins. Two sides that went equally far to different states become a conflict, and so do two answers
/// to one question.
enum LifeCycleOrder {
    /// - Parameter isResubmitted: whether the side has another moment of submission than the base.
    static func steps(from base: Inspection.Status, to side: Inspection.Status, isResubmitted: Bool) -> Int {
        switch (base, side) {
        case (.draft, .draft), (.approved, .approved): 0
        case (.draft, .submitted): 1
        case (.draft, .returned), (.draft, .approved): 2
        case (.submitted, .draft): 1
        case (.submitted, .submitted): isResubmitted ? 2 : 0
        case (.submitted, .returned), (.submitted, .approved): isResubmitted ? 3 : 1
        case (.returned, .draft), (.returned, .submitted): 1
        case (.returned, .returned): isResubmitted ? 2 : 0
        case (.returned, .approved): 2
        case (.approved, .draft), (.approved, .submitted), (.approved, .returned): 1
        }
    }

    /// Which of two states wins that are equally far.
    static func rank(_ status: Inspection.Status) -> Int {
        switch status {
        case .draft: 0
        case .submitted: 1
        case .returned: 2
        case .approved: 3
        }
    }

    /// Open is before done and dropped; done wins against dropped.
    static func rank(_ status: Assignment.Status) -> Int {
        switch status {
        case .open: 0
        case .dropped: 1
        case .done: 2
        }
    }
}
