/// When the key that a passphrase seals is opened: that takes half a second and hundreds of megabytes.
public enum KeyUse: Sendable, Hashable {
    /// With the folder; a wrong passphrase is reported then.
    case atOnce
    /// When it is needed, which it rarely is: the passphrase is not asked for.
    case ifNeeded
}
