/// A form that was read from a file of an author, with the faults in it.
package struct FormReading: Sendable {
    /// As far as it could be read.
    package var form: Form
    package var positions: SourcePositions
    /// Those of the reader: what the form cannot hold.
    package var findings: FormFindings
    /// Whether parts are missing in the form that the file has: then the checker would miss what these declare.
    package var isPartial: Bool

    package init(
        form: Form, positions: SourcePositions = SourcePositions(), findings: FormFindings = FormFindings(),
        isPartial: Bool = false
    ) {
        self.form = form
        self.positions = positions
        self.findings = findings
        self.isPartial = isPartial
    }
}
