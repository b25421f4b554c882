import DocumentValues
import FormLogic

/// The end of a form: all answers are looked at, and the record is finalised.
extension FormConversation {
    /// All failures, or the finalisation.
    mutating func finish(at stop: FormStop) {
        let failures = state.failures()
        showReports()
        guard failures.isEmpty else {
            showFailures(failures)
            return ask(at: stop)
        }
        if !state.surplus.isEmpty { return consent(to: .dropSurplus(back: stop)) }
        finalise(droppingSurplus: false, from: stop)
    }

    /// Asks before answers that are set aside are left out of the record.
    mutating func finalise(droppingSurplus: Bool, from stop: FormStop) {
        let withheld = WithheldAnswers(self)
        guard withheld.count > 0 else { return saveThenFinalise(droppingSurplus: droppingSurplus) }
        show(.warning, plain: withheld.text)
        consent(to: .leaveOut(droppingSurplus: droppingSurplus, back: stop))
    }

    mutating func saveThenFinalise(droppingSurplus: Bool) {
        if isUnsaved {
            save(then: .finalise(droppingSurplus: droppingSurplus))
        } else {
            finalise(droppingSurplus: droppingSurplus)
        }
    }

    private mutating func showFailures(_ failures: [AnswerFailure]) {
        listed = []
        let count = failures.count == 1 ? "1 answer keeps" : "\(failures.count) answers keep"
        show(.info, plain: "Not finalised: \(count) it from that.")
        for failure in failures.prefix(ConversationLimits.rows) {
            var text = StyledText("\(path(of: failure.node)): ")
            text.append(message(failure.reason, at: failure.node))
            if let number = course.numbers[failure.node] { text.append("  :go \(number)") }
            show(.row, text: text)
        }
        if failures.count > ConversationLimits.rows {
            show(.row, plain: "and \(failures.count - ConversationLimits.rows) more")
        }
    }
}
