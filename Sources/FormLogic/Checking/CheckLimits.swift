/// Limits of the checker.
package enum CheckLimits {
    /// Findings that are shown, errors before warnings: beyond so many an author mends these first, and checks again.
    package static let findings = 100
    /// Findings of each severity that are gathered before they are sorted, so that those shown are the first of the file.
    package static let gathered = 10_000
    /// Findings about unknown names for which a similar one is searched: each search looks at all names of the form.
    package static let nearNames = 100
    /// Bytes of a form's id.
    package static let formID = 64
}
