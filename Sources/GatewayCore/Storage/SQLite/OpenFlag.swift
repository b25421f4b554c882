import Synchronization

/// Whether a store is still open.
final class OpenFlag: Sendable {
    private let isOpen = Mutex(true)

    func clear() { isOpen.withLock { $0 = false } }

    /// 503 if it is closed.
    func check() throws(GatewayError) {
        guard isOpen.withLock({ $0 }) else { throw .underMaintenance }
    }

    /// Why a request got no connection: 503 if the store was closed while the request waited, as SQLite's own error says
    /// nothing of that.
    func reason(for failure: any Error) -> any Error {
        isOpen.withLock { $0 } ? failure : GatewayError.underMaintenance
    }
}
