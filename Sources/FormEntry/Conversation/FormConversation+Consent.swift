import DocumentValues
import FormLogic

/// Questions with y and n, before something is done that is not easily undone.
extension FormConversation {
    mutating func consent(to consent: Consent) {
        stage = .consenting(consent)
        var line = AskedLine()
        switch consent {
        case .drop(let instance, _):
            let count = answerCount(under: instance)
            line.question =
                "Drop \(instanceTitle(instance)) with \(count == 1 ? "1 answer" : "\(count) answers")? y/N"
        case .dropSurplus:
            let count = state.surplus.count
            let subject = count == 1 ? "1 instance is" : "\(count) instances are"
            line.question = "\(subject) beyond the count. Drop \(count == 1 ? "it" : "them")? y/N"
        case .leaveOut: line.question = "Finalise all the same? y/N"
        case .leaveUnsaved: line.question = "Leave without the last answers? y/N"
        }
        line.completions = ["y", "n"]
        act(.ask(line))
    }

    mutating func reply(_ line: String, to consent: Consent) {
        switch (TypedCommand(line), consent) {
        case (.enter, _): take(consent, isYes: false)
        case (.command(.quit, _), .leaveUnsaved): askOnce(more: "y leaves without them, n stays.", about: consent)
        // A minus may be a no, and clears nothing here.
        case (.command(.clear, _), _): askOnce(more: Self.yesOrNo, about: consent)
        // The question's subject is left as it is.
        case (.command(let verb, let argument), _): obey(verb, argument: argument, at: consent.back)
        case (.answer(let text), _):
            switch YesOrNo(FoldedText.of(text.shortened(toScalars: EntryLimits.quoted))) {
            case .yes: take(consent, isYes: true)
            case .no: take(consent, isYes: false)
            case nil: askOnce(more: Self.yesOrNo, about: consent)
            }
        case (.unknown, _): askOnce(more: Self.yesOrNo, about: consent)
        }
    }

    private static let yesOrNo = "y or n, please; Enter is n."

    private mutating func askOnce(more advice: String, about consent: Consent) {
        show(.refusal, plain: advice)
        self.consent(to: consent)
    }

    private mutating func take(_ consent: Consent, isYes: Bool) {
        switch consent {
        case .drop(let instance, let back): if isYes { drop(instance) } else { askAgain(at: back) }
        case .dropSurplus(let back): finalise(droppingSurplus: isYes, from: back)
        case .leaveOut(let droppingSurplus, let back):
            if isYes { saveThenFinalise(droppingSurplus: droppingSurplus) } else { askAgain(at: back) }
        case .leaveUnsaved(let back): if isYes { leave(.unsaved) } else { go(to: back, showingPage: true) }
        }
    }
}
