import Dispatch
import Foundation
import Synchronization

/// Purges documents when their time has come, as long as the database is open.
final class ExpiryTimer: Sendable {
    private let queue = DispatchQueue(label: "fieldbook.database.expiry")
    private let next = Mutex<(date: Double, generation: UInt64)?>(nil)
    private let generation = Atomic<UInt64>(0)
    private let purge: @Sendable () throws -> Void

    init(purge: @escaping @Sendable () throws -> Void) { self.purge = purge }

    /// Plans the next purge for the earliest expiration, if it is not planned already.
    func schedule(_ records: [CollectionRecord]) {
        let earliest = records.compactMap(\.nextExpiration).min()
        let number = generation.wrappingAdd(1, ordering: .relaxed).newValue
        let isNew = next.withLock { next in
            guard next?.date != earliest else { return false }
            next = earliest.map { ($0, number) }
            return true
        }
        guard isNew, let earliest else { return }
        let delay = max(0, earliest - Timestamp.now.seconds)
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.fire(number) }
    }

    func cancel() { next.withLock { $0 = nil } }

    private func fire(_ number: UInt64) {
        let isCurrent = next.withLock { next in
            guard next?.generation == number else { return false }
            next = nil
            return true
        }
        guard isCurrent else { return }
        do { try purge() } catch {
            // The next commit plans it again, and so does the next opening; until then reads do not show them.
            LibraryLog.database.error("Expired documents could not be purged: \(error)")
        }
    }
}
