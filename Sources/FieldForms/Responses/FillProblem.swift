import DocumentValues

/// Why an answer of a script was not taken, or a form cannot be finalised.
package struct FillProblem: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// The form's rule for the answer is false.
        case constraint
        /// There is no answer, and there has to be one.
        case required
        /// No value of the question's type.
        case type
        /// No choice that is offered.
        case choice
        /// The form has no such question, or the record no such instance.
        case unknown
    }

    /// `point[2]/about/depth`; as it was typed where nothing has that name.
    @Exact package private(set) var path: String
    package let kind: Kind
    @Exact package private(set) var message: String

    package init(_ kind: Kind, path: String, message: String) {
        self.kind = kind
        self.path = path
        self.message = message
    }

    /// A question for which there are two values, of which none is taken.
    static func repeated(_ path: String) -> FillProblem {
        FillProblem(.type, path: path, message: "is given more than once; give it once")
    }

    package var object: JSONObject {
        ["path": .string(path), "kind": .string(kind.rawValue), "message": .string(message)]
    }

    /// `point[2]/about/depth: Between 0 and 500`.
    package var line: String { "\(path): \(message)".printableLine }
}
