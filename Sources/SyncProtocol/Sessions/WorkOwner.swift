/// The part of a session for which something is done.
enum SessionPart: Int, CaseIterable, Sendable {
    /// The opening of the session, and its checkpoints.
    case checkpoint
    case push
    case pull
    case other
}

/// The part of a collection for which a job is done, or to which a request belongs.
struct WorkOwner: Sendable, Hashable {
    let part: SessionPart
    let collection: Int

    init(_ part: SessionPart, of collection: Int) {
        self.part = part
        self.collection = collection
    }
}
