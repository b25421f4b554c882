/// Whether records of a form may be begun.
package enum FormAvailability: String, Sendable, Hashable, CaseIterable {
    case open
    /// No new records; drafts may be finished.
    case closing
    /// Hidden; drafts may still be finished and sent.
    case closed
}
