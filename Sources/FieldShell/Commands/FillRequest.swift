import DocumentValues

/// How a form is filled by a script.
public struct FillRequest: Sendable, Hashable {
    /// An answer, or another instance, in the order of the line.
    public enum Step: Sendable, Hashable {
        case set(path: String, text: String)
        case add(path: String)
    }

    /// What becomes of instances beyond the count of their repeat when the record is finalised.
    public enum Surplus: String, Sendable, Hashable, CaseIterable {
        case keep
        case drop
    }

    /// A form, with `form try` its file; or a filled form that is to go on.
    @Exact public private(set) var subject: String
    /// A JSON object; `-` for the standard input.
    @Exact public internal(set) var file: String?
    public internal(set) var steps: [Step] = []
    /// Steps from the standard input, one a line.
    public internal(set) var readsLines = false
    @Exact public internal(set) var site: String?
    @Exact public internal(set) var language: String?
    public internal(set) var finalises = false
    public internal(set) var surplus = Surplus.keep
    /// Takes a draft to the version that new records have.
    public internal(set) var upgrades = false
    /// Why a record that was sent is changed.
    @Exact public internal(set) var reason: String?
    /// Fills without saving.
    public internal(set) var isTrial = false

    init(subject: String) { self.subject = subject }

    /// Whether it says what to do, so that nothing is asked.
    var isScripted: Bool { file != nil || !steps.isEmpty || readsLines || finalises || upgrades }
}

/// The value of one expression in a filled form.
public struct EvaluationRequest: Sendable, Hashable {
    /// A form, or its file.
    @Exact public private(set) var form: String
    /// A JSON object; `-` for the standard input, `nil` for no answers.
    @Exact public private(set) var answers: String?
    @Exact public private(set) var expression: String
    /// The node that it is evaluated for; `nil` for the record as a whole.
    @Exact public private(set) var path: String?
    /// The present time, as it was written.
    @Exact public private(set) var now: String?

    init(form: String, answers: String?, expression: String, path: String?, now: String?) {
        self.form = form
        self.answers = answers
        self.expression = expression
        self.path = path
        self.now = now
    }
}
