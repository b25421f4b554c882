import DocumentValues

/// One version of a form.
package struct FormReference: Sendable, Hashable, CustomStringConvertible {
    package let form: Name
    @Exact package private(set) var version: String

    package init(form: Name, version: String) {
        self.form = form
        self.version = version
    }

    /// `kitchen_hygiene@2026030401`.
    package var description: String { "\(form.text)@\(version)" }
}
