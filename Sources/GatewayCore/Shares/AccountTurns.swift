import DocumentValues
import NIOCore

/// Who may begin, where each account may have only so much at a time: whoever comes when it has that waits for others of that
/// account, and for nobody else. So an account that ends nothing holds up itself alone. Pure.
struct AccountTurns: Sendable {
    typealias Ticket = UInt64

    private struct Waiting {
        let ticket: Ticket
        let weight: Int
    }

    private var ledger: ShareLedger
    private var lines: [Name: CircularBuffer<Waiting>] = [:]
    private var lastTicket: Ticket = 0

    /// - Parameters:
    ///   - limit: of one account at a time. Who has nothing may begin with any weight.
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
        lines[account, default: CircularBuffer()].append(Waiting(ticket: ticket, weight: weight))
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
        guard let index = lines[account]?.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        lines[account]?.remove(at: index)
        return beginning(of: account)
    }

    /// Those of an account who wait and may begin, in their order.
    private mutating func beginning(of account: Name) -> [Ticket] {
        var beginning: [Ticket] = []
        while let first = lines[account]?.first, take(first.weight, of: account) {
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
