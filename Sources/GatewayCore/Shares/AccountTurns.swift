import DocumentValues
import NIOCore

/// Says which job may begin, where each account may have only so much at a time: a job that comes when its account has that
/// waits for others of the same account, and for no others. So an account that ends nothing holds up itself alone. Pure: the
/// decisions of the semaphore `AccountLine`.
struct AccountTurns: Sendable {
    typealias Ticket = UInt64

    private struct Waiting {
        let ticket: Ticket
        let weight: Int
    }

    /// The jobs of an account that wait. One that leaves is kept in the buffer until it would be its turn, or most of them have
    /// left: to take one out of the middle takes as long as the line is.
    private struct Line {
        private var entries = CircularBuffer<Waiting>()
        private var present: Set<Ticket> = []

        var isEmpty: Bool { present.isEmpty }

        mutating func append(_ waiting: Waiting) {
            entries.append(waiting)
            present.insert(waiting.ticket)
        }

        /// - Returns: whether somebody has left.
        mutating func leave(_ ticket: Ticket) -> Bool {
            guard present.remove(ticket) != nil else { return false }
            if entries.count > 2 * present.count + 16 {
                entries = CircularBuffer(entries.filter { present.contains($0.ticket) })
            }
            return true
        }

        /// The first of those that are left.
        mutating func first() -> Waiting? {
            while let first = entries.first, !present.contains(first.ticket) { entries.removeFirst() }
            return entries.first
        }

        mutating func removeFirst() { present.remove(entries.removeFirst().ticket) }
    }

    private var ledger: ShareLedger
    private var lines: [Name: Line] = [:]
    private var lastTicket: Ticket = 0

    /// - Parameters:
    ///   - limit: of one account at a time. One that has nothing may begin with any weight.
    ///   - total: of all accounts; beyond it each has one thing.
    init(limit: Int, total: Int = .max) { ledger = ShareLedger(total: total, share: limit) }

    /// - Returns: false where the account has as much as it may have.
    mutating func begin(_ weight: Int = 1, of account: Name) -> Bool {
        guard lines[account] == nil else { return false }
        return take(weight, of: account)
    }

    mutating func newTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Queues somebody who may not begin yet.
    mutating func wait(_ ticket: Ticket, weight: Int = 1, of account: Name) {
        lines[account, default: Line()].append(Waiting(ticket: ticket, weight: weight))
    }

    /// A turn is over.
    ///
    /// - Returns: whose turn it is now.
    mutating func end(_ weight: Int = 1, of account: Name) -> [Ticket] {
        ledger.giveBack(weight, of: account)
        return beginning(of: account)
    }

    /// Somebody does not wait any more.
    ///
    /// - Returns: whose turn it is now; `nil` where they did not wait.
    mutating func leave(_ ticket: Ticket, of account: Name) -> [Ticket]? {
        guard lines[account]?.leave(ticket) == true else { return nil }
        return beginning(of: account)
    }

    /// Those of an account who wait and may begin, in their order.
    private mutating func beginning(of account: Name) -> [Ticket] {
        var beginning: [Ticket] = []
        while let first = lines[account]?.first(), take(first.weight, of: account) {
            lines[account]?.removeFirst()
            beginning.append(first.ticket)
        }
        if lines[account]?.isEmpty == true { lines[account] = nil }
        return beginning
    }

    private mutating func take(_ weight: Int, of account: Name) -> Bool {
        guard ledger.taken(by: account) == 0 || weight <= ledger.room(of: account) else { return false }
        ledger.add(weight, to: account)
        return true
    }
}
