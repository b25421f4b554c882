import DocumentValues
import NIOCore

/// Who may begin, where each account may do only so many things at a time: whoever comes when the account does as many waits for
/// others of that account, and for nobody else. Pure.
struct AccountTurns: Sendable {
    typealias Ticket = UInt64

    private struct Account {
        var running = 0
        var waiting = CircularBuffer<Ticket>()
    }

    private let limit: Int
    private var accounts: [Name: Account] = [:]
    private var lastTicket: Ticket = 0

    /// - Parameter limit: of one account at a time.
    init(limit: Int) { self.limit = limit }

    /// - Returns: false where the account has as many turns as it may have.
    mutating func begin(_ account: Name) -> Bool {
        guard accounts[account, default: Account()].running < limit else { return false }
        accounts[account, default: Account()].running += 1
        return true
    }

    mutating func newTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Queues somebody who may not begin yet.
    mutating func wait(_ ticket: Ticket, of account: Name) { accounts[account]?.waiting.append(ticket) }

    /// A turn is over.
    ///
    /// - Returns: whose turn it is now.
    mutating func end(_ account: Name) -> Ticket? {
        if let next = accounts[account]?.waiting.popFirst() { return next }
        accounts[account]?.running -= 1
        if accounts[account]?.running == 0 { accounts[account] = nil }
        return nil
    }

    /// Somebody does not wait any more.
    ///
    /// - Returns: false where they did not wait.
    mutating func leave(_ ticket: Ticket, of account: Name) -> Bool {
        guard let index = accounts[account]?.waiting.firstIndex(of: ticket) else { return false }
        accounts[account]?.waiting.remove(at: index)
        return true
    }
}
