import DocumentValues
import FieldModels

/// The text about an answer of the wrong kind: the same for one that was typed and for one that a record has.
extension FormField {
    /// - Parameter requirement: what the question takes, where its kind does not say that.
    /// - Returns: `fridge must be a number, not 'warm'`.
    func mismatch(typed text: String, requirement: String? = nil) -> FieldProblem {
        FieldProblem(name, message: "must be \(requirement ?? kind.requirement), not '\(text)'")
    }

    /// The question may have been of another kind in another version of the form.
    func mismatch(stored value: JSONValue, requirement: String? = nil) -> FieldProblem {
        if let text = value.stringValue { return mismatch(typed: text, requirement: requirement) }
        let shown = value.boolValue.map { $0 ? "yes" : "no" } ?? "\(value)"
        return FieldProblem(name, message: "must be \(requirement ?? kind.requirement), not \(shown)")
    }
}

extension FormField.Kind {
    /// For messages: `must be …`.
    fileprivate var requirement: String {
        switch self {
        case .text: "text"
        case .number: "a number"
        case .whole: "a whole number"
        case .yesNo: "yes or no"
        case .choice: "one of the choices"
        case .day: "a day"
        }
    }
}
