import DocumentValues
import FormLogic

/// A version of a form as its document has it: without long lists and the contents of files.
package struct OutlinedForm: Sendable {
    package let form: Form
    @Exact package private(set) var digest: String
    package let state: FormAvailability
    /// The version that new records take.
    @Exact package private(set) var current: String

    init(form: Form, digest: String, state: FormAvailability, current: String) {
        self.form = form
        self.digest = digest
        self.state = state
        self.current = current
    }
}
