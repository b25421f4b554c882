import DocumentValues
import NIOCore

/// Decides which job may begin if each account has a limit: a job whose account has reached it waits for jobs of the same
/// account, and for no others. So an account whose jobs do not end only delays itself. Pure: the decisions of the semaphore
/// `AccountLine`.
struct AccountTurns: Sendable {
    typealias Ticket = UInt64

    private struct Waiting {
        let ticket: Ticket
        let weight: Int
    }

    /// The waiting jobs of an account. A job that leaves stays in the buffer until its turn would come, or until most have
    /// left: removing one from the middle would take time with the length of the line.
    private struct Line {
        private var entries = CircularBuffer<Waiting>()
        private var present: Set<Ticket> = []

        var isEmpty: Bool { present.isEmpty }

        mutating func append(_ waiting: Waiting) {
            entries.append(waiting)
            present.insert(waiting.ticket)
        }

        /// - Returns: whether the job was waiting.
        mutating func leave(_ ticket: Ticket) -> Bool {
            guard present.remove(ticket) != nil else { return false }
            if entries.count > 2 * present.count + 16 {
                entries = CircularBuffer(entries.filter { present.contains($0.ticket) })
            }
            return true
        }

        /// The first one that still waits.
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
    ///   - limit: of one account at a time. An account without work may begin with any weight.
    ///   - total: of all accounts; beyond it each account has one job.
    init(limit: Int, total: Int = .max) { ledger = ShareLedger(total: total, share: limit) }

    /// - Returns: false if the account has reached its limit.
    mutating func begin(_ weight: Int = 1, of account: Name) -> Bool {
        guard lines[account] == nil else { return false }
        return take(weight, of: account)
    }

    mutating func newTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Queues a job that may not begin yet.
    mutating func wait(_ ticket: Ticket, weight: Int = 1, of account: Name) {
        lines[account, default: Line()].append(Waiting(ticket: ticket, weight: weight))
    }

    /// A turn is over.
    ///
    /// - Returns: the jobs whose turn it is now.
    mutating func end(_ weight: Int = 1, of account: Name) -> [Ticket] {
        ledger.giveBack(weight, of: account)
        return beginning(of: account)
    }

    /// A job does not wait any more.
    ///
    /// - Returns: the jobs whose turn it is now; `nil` if the job was not waiting.
    mutating func leave(_ ticket: Ticket, of account: Name) -> [Ticket]? {
        guard lines[account]?.leave(ticket) == true else { return nil }
        return beginning(of: account)
    }

    /// The waiting jobs of an account that may begin, in their order.
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
