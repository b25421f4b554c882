/// The limits of a revision id.
public enum RevisionLimits {
    /// Bytes of a digest that a gateway accepts: those that we and the reference make have 32 or 40. An id goes into
    /// every announcement of its document and, with up to fifty ancestors, into one message's properties.
    public static let digestBytes = 128
    /// The generation up to which a gateway accepts any revision: half of those that an id can have. No document has been
    /// edited as often.
    package static let generation = UInt32.max / 2
    /// How far above the highest generation of its document a revision may be that exceeds `generation`: more edits than
    /// a client makes between two syncs.
    package static let generationStep: UInt32 = 1_000
}
