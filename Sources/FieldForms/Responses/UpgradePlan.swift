import DocumentValues
import FormLogic

/// What becomes of a draft's answers in another version of its form. A value: nothing is changed before it is applied to a
/// copy of the record.
package struct UpgradePlan: Sendable {
    package struct Step: Sendable, Hashable {
        package enum Outcome: Sendable, Hashable {
            /// To another group; the new path.
            case moved(to: String)
            /// From one type to another.
            case converted(from: String, to: String)
            /// Kept beside the answers, and why.
            case former(Reason)
            /// The answer stays, and finalising needs another choice.
            case noLongerOffered(String)
            /// The form has the question again.
            case returned
            /// A new question, with its default where it has one.
            case new
        }

        package enum Reason: Sendable, Hashable {
            case gone
            /// Into a repeat, or out of one.
            case otherRepeat
            case type(from: String, to: String)
            /// The repeat became a group, which has one instance.
            case oneInstance
        }

        @Exact package fileprivate(set) var path: String
        package let outcome: Outcome
    }

    /// In the order of the former version; answers that are kept as they are have none.
    package fileprivate(set) var steps: [Step] = []
    package fileprivate(set) var answers = JSONObject()
    /// Answers without a question: `path`, `version`, `label`, `value`.
    package fileprivate(set) var former: [JSONObject] = []
    /// Questions that the former version did not have.
    package fileprivate(set) var fresh: Set<FormOutline.ID> = []

    /// - Parameters:
    ///   - answers: as the record has them.
    ///   - former: answers that earlier versions had questions for.
    package init(
        from old: Form, to new: Form, answers: JSONObject, former: [JSONObject] = [], conversions: Conversions
    ) {
        var number = 0
        let record = Record.read(answers, outline: FormOutline(old)) {
            number += 1
            return Name("instance\(number)")
        }.record
        var carrying = AnswerCarrying(from: old, to: new, record: record, conversions: conversions)
        carrying.run(earlier: former)
        steps = carrying.steps
        self.answers = carrying.answers
        self.former = carrying.former
        fresh = carrying.fresh
    }

    /// A line for each step, for people.
    package var lines: [String] { steps.map(\.line) }
}

extension UpgradePlan.Step {
    init(_ path: String, outcome: Outcome) {
        self.init(path: path, outcome: outcome)
    }

    package var line: String {
        let text =
            switch outcome {
            case .moved(let path): "is now \(path)"
            case .converted(let old, let new): "is converted from \(old) to \(new)"
            case .former(.gone): "is kept beside the others: the form has no such question any more"
            case .former(.otherRepeat): "is kept beside the others: the question is in another repeat now"
            case .former(.type(let old, let new)): "is kept beside the others: the question was \(old) and is \(new)"
            case .former(.oneInstance): "is kept beside the others: the repeat became a group, which has one instance"
            case .noLongerOffered(let choice): "is kept, but '\(choice)' is no longer offered: choose another"
            case .returned: "is back: the form has the question again"
            case .new: "is new"
            }
        return "\(path): \(text)".printableLine
    }
}
