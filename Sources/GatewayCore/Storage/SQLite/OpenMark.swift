import Synchronization

/// Whether a store is open still.
final class OpenMark: Sendable {
    private let isOpen = Mutex(true)

    func clear() { isOpen.withLock { $0 = false } }

    /// 503 where it is closed.
    func check() throws(GatewayError) {
        guard isOpen.withLock({ $0 }) else { throw .underMaintenance }
    }
}
