/// Limits of the checker.
package enum CheckLimits {
    /// Findings that are shown: beyond so many an author mends what is shown, and checks again.
    package static let findings = 100
    /// Findings that are gathered before they are sorted, so that those shown are the first of the file.
    package static let gathered = 10_000
}
