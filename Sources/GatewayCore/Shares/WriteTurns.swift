import DocumentValues
import NIOCore

/// Writes that wait for the one writer of a database, each with its amount of work. Accounts take turns by that amount, so
/// that an account with many writes only delays itself; the writes of one account keep their order. Pure.
///
/// This is deficit round robin (Shreedhar and Varghese, 1995): each turn gives an account the same credit. One write may
/// overdraw it, which is paid back by turns in which the account gets nothing, even if none of its writes wait at that
/// time. So an account that sends each large write after the last one is answered gets no more of the writer than one that
/// sends all at once.
struct WriteTurns<Element> {
    private struct Waiting {
        let element: Element
        let work: Int
    }

    private struct Lane {
        var waiting = CircularBuffer<Waiting>()
        var credit: Int
    }

    private let credit: Int
    private var lanes: [Name: Lane] = [:]
    /// Accounts with waiting writes or an overdrawn credit; the first one has its turn.
    private var order = CircularBuffer<Name>()

    /// - Parameter credit: the work of a turn.
    init(credit: Int) { self.credit = credit }

    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    /// - Parameter work: at least one.
    mutating func append(_ element: Element, of account: Name, work: Int) {
        count += 1
        if lanes[account] == nil { order.append(account) }
        lanes[account, default: Lane(credit: credit)].waiting.append(Waiting(element: element, work: max(1, work)))
    }

    /// The next writes: as many as do not exceed the amount of work together, or a single larger one.
    mutating func take(count: Int, work: Int) -> [Element] {
        var taken: [Element] = []
        var left = work
        while taken.count < count, taken.isEmpty || left > 0, let account = accountInTurn() {
            guard let next = lanes[account]?.waiting.first, taken.isEmpty || next.work <= left else { break }
            left -= next.work
            removeFirst(of: account, work: next.work)
            taken.append(next.element)
        }
        return taken
    }

    /// An account without credit waits for its next turn.
    private mutating func accountInTurn() -> Name? {
        while count > 0, let account = order.first, let lane = lanes[account] {
            if lane.credit > 0, !lane.waiting.isEmpty { return account }
            order.removeFirst()
            giveCredit(to: account)
        }
        return nil
    }

    /// An account that has paid back and has no writes is removed: its next write begins without a debt.
    private mutating func giveCredit(to account: Name) {
        lanes[account]?.credit += credit
        if let lane = lanes[account], lane.waiting.isEmpty, lane.credit >= 0 {
            lanes[account] = nil
        } else {
            order.append(account)
        }
    }

    private mutating func removeFirst(of account: Name, work: Int) {
        count -= 1
        lanes[account]?.credit -= work
        lanes[account]?.waiting.removeFirst()
        // If no writes wait, an overdrawn credit has delayed no account.
        guard count > 0 else { return forgetCredits() }
        guard let lane = lanes[account], lane.waiting.isEmpty, lane.credit >= 0 else { return }
        lanes[account] = nil
        order.removeFirst()
    }

    private mutating func forgetCredits() {
        lanes = [:]
        order.removeAll(keepingCapacity: true)
    }
}
