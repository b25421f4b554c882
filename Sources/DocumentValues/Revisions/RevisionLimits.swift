/// The limits of a revision id.
public enum RevisionLimits {
    /// Bytes of a digest that a gateway accepts: those that we and the reference make have 32 or 40. An id goes into
    /// every announcement of its document and, with up to fifty ancestors, into one message's properties.
    public static let digestBytes = 128
}
