import CSodium

/// Makes libsodium ready; everything in this module goes through `Sodium.ready()` first.
enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// libsodium only fails to start where the system has no source of randomness; no key made then could be trusted.
    static func ready() {
        guard isReady else { fatalError("libsodium could not be initialised: the system has no source of randomness") }
    }
}
