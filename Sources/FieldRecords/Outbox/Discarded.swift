/// The outcome for a refused record that was given up.
public enum Discarded: String, Sendable, Hashable {
    /// No other laptop had it: nothing is left of it.
    case purged
    /// It is again as the gateway has it.
    case reverted
    /// The next sync brings the gateway's version, if the user may see it.
    case comesBack
}
