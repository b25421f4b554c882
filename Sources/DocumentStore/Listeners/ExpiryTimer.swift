import Dispatch
import Foundation
import Synchronization

/// Purges documents when their time has come, as long as the database is open.
final class ExpiryTimer: Sendable {
    private let queue = DispatchQueue(label: "fieldbook.database.expiry")
    private let next = Mutex<(date: Double, generation: UInt64)?>(nil)
    private let generation = Atomic<UInt64>(0)
    private let purge: @Sendable () throws -> Double?

    /// - Parameter purge: purges the documents that are due, and returns the next time, in seconds since 1970.
    init(purge: @escaping @Sendable () throws -> Double?) { self.purge = purge }

    /// Plans a purge, unless one is planned for that time or an earlier one. Callers have read the database without a
    /// lock, so `earliest` may be out of date. That does no harm: a purge that finds nothing due only plans the next
    /// one.
    ///
    /// - Parameter earliest: in seconds since 1970; `nil` if no document has a time.
    func schedule(_ earliest: Double?) {
        guard let earliest else { return }
        let number = generation.wrappingAdd(1, ordering: .relaxed).newValue
        let isEarlier = next.withLock { next in
            if let planned = next?.date, planned <= earliest { return false }
            next = (earliest, number)
            return true
        }
        guard isEarlier else { return }
        // A date may be millions of years ahead; the time goes on while the computer is suspended.
        let delay = min(max(0, earliest - StoreInstant.now.seconds), StoreLimits.longestExpiryWait)
        queue.asyncAfter(wallDeadline: .now() + delay) { [weak self] in self?.fire(number) }
    }

    func cancel() { next.withLock { $0 = nil } }

    private func fire(_ number: UInt64) {
        let isCurrent = next.withLock { next in
            guard next?.generation == number else { return false }
            next = nil
            return true
        }
        guard isCurrent else { return }
        do {
            schedule(try purge())
        } catch let error as StoreError where error.code == .notOpen {
            // The next opening purges them.
            return
        } catch {
            // Reads do not show expired documents, purged or not.
            LibraryLog.database.error("Expired documents could not be purged: \(error)")
            schedule(StoreInstant.now.seconds + StoreLimits.expiryRetry)
        }
    }
}
