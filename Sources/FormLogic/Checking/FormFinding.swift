import DocumentValues

/// What the checker, or a reader of forms, has to say about one part of a form.
package struct FormFinding: Sendable, Hashable {
    package let code: FindingCode
    package let position: SourcePosition
    /// Names the part and the fault: `relevant of 'too_warm': no question is called 'cold_tmp'.`
    @Exact package var message: String
    /// The way out: `Did you mean 'cold_temp'?`
    @Exact package var hint: String?

    package init(_ code: FindingCode, at position: SourcePosition, message: String, hint: String? = nil) {
        self.code = code
        self.position = position
        self.message = message
        self.hint = hint
    }

    package var severity: FindingSeverity { code.severity }

    /// Message and hint in one line.
    package var text: String { Sentences.joined(message, hint: hint) }
}
