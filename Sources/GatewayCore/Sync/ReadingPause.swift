import BLIPTransport
import Synchronization

/// Pauses and resumes reading of a sync connection, as its session and its waiting messages demand.
final class ReadingPause: Sendable {
    private let demand = Mutex(ReadingDemand(limit: GatewayLimits.unseenBytes))
    private let apply: @Sendable (ReadingDemand.Change) -> Void

    /// - Parameter apply: called under a lock, so that changes come in their order.
    init(apply: @escaping @Sendable (ReadingDemand.Change) -> Void) { self.apply = apply }

    var waiting: Int { demand.withLock { $0.waiting } }

    func put(_ bytes: Int) { change { $0.put(bytes) } }
    func take(_ bytes: Int) { change { $0.take(bytes) } }
    func want(_ isWanted: Bool) { change { $0.want(isWanted) } }

    private func change(_ body: (inout ReadingDemand) -> ReadingDemand.Change?) {
        demand.withLock { demand in
            if let change = body(&demand) { apply(change) }
        }
    }
}
