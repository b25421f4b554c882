/// The outcome for an assignment whose inspection is deleted.
public enum DeletedWork: Sendable, Hashable {
    /// There is none that is here.
    case nothing
    /// The assignment of this id is to be done again.
    case opened(String)
    /// The assignment of this id stays done: it is another user's, and the gateway takes its opening only from that
    /// user, or from supervisors.
    case left(String)
}
