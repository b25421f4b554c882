import CSodium

/// Makes libsodium ready; everything in this module goes through `Sodium.ready()` first.
enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// libsodium only fails to start if the system has no source of randomness; then no key could be trusted.
    static func ready() {
        guard isReady else { fatalError("libsodium could not be initialised: the system has no source of randomness") }
    }
}
