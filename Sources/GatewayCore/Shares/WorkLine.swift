import DocumentValues
import NIOCore

/// Decides which work that takes memory may begin: at once while there is room, else when other work has ended. Accounts take
/// turns, and one has at most as much as it leaves for all others, so that no account delays the others for long. Pure: the
/// decisions of the semaphore `MemoryLine`, by round robin.
package struct WorkLine: Sendable {
    package typealias Ticket = UInt64

    private struct Waiting {
        let ticket: Ticket
        let bytes: Int
        /// How often other work has ended without leaving enough room for it.
        var misses = 0
    }

    private var ledger: ShareLedger
    private var lanes: [Name: CircularBuffer<Waiting>] = [:]
    /// Accounts with waiting work, the next one first.
    private var order = CircularBuffer<Name>()
    private var lastTicket: Ticket = 0

    /// - Parameter total: bytes of all work at the same time. A single job may have more.
    package init(total: Int) { ledger = ShareLedger(total: total, share: total) }

    /// - Returns: the ticket of work that has to wait; `nil` if it may begin.
    package mutating func enter(_ bytes: Int, of account: Name) -> Ticket? {
        if lanes[account] == nil, !isKeptFree, take(bytes, for: account) { return nil }
        lastTicket += 1
        if lanes[account] == nil { order.append(account) }
        lanes[account, default: CircularBuffer()].append(Waiting(ticket: lastTicket, bytes: bytes))
        return lastTicket
    }

    /// Work has ended.
    ///
    /// - Returns: the work that may begin now.
    package mutating func end(_ bytes: Int, of account: Name) -> [Ticket] {
        ledger.giveBack(bytes, of: account)
        var beginning: [Ticket] = []
        for _ in 0..<min(order.count, GatewayLimits.accountsChecked) {
            guard let next = order.popFirst(), var lane = lanes[next], var first = lane.popFirst() else { break }
            if take(first.bytes, for: next) {
                beginning.append(first.ticket)
            } else {
                // An account that has other work running gets room when that ends.
                if ledger.taken(by: next) == 0 { first.misses += 1 }
                lane.prepend(first)
                if first.misses >= GatewayLimits.missesOfWork {
                    lanes[next] = lane
                    order.prepend(next)
                    break
                }
            }
            lanes[next] = lane.isEmpty ? nil : lane
            if !lane.isEmpty { order.append(next) }
        }
        return beginning
    }

    /// Whether the first in the line has waited for long.
    private var isKeptFree: Bool {
        guard let account = order.first, let waiting = lanes[account]?.first else { return false }
        return waiting.misses >= GatewayLimits.missesOfWork
    }

    private mutating func take(_ bytes: Int, for account: Name) -> Bool {
        do throws(ShareLedger.Refusal) {
            try ledger.take(bytes, for: account, beyond: 0)
            return true
        } catch {
            return false
        }
    }
}
