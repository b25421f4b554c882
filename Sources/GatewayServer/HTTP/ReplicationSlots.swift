import GatewayCore
import Synchronization

/// How many clients may sync at once, if the configuration limits that (`replicator.max_concurrent_replications`).
package final class ReplicationSlots: Sendable {
    /// Taken until it is released, however the connection ends.
    final class Slot: Sendable {
        private let slots: ReplicationSlots

        fileprivate init(_ slots: ReplicationSlots) { self.slots = slots }

        deinit { slots.taken.withLock { $0 -= 1 } }
    }

    private let limit: Int
    private let taken = Mutex(0)

    /// - Parameter limit: 0 for none.
    init(limit: Int) { self.limit = limit }

    func take() throws(GatewayError) -> Slot {
        try taken.withLock { taken throws(GatewayError) in
            guard limit == 0 || taken < limit else { throw GatewayError.tooManyReplications }
            taken += 1
        }
        return Slot(self)
    }
}
