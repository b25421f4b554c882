import DocumentValues
import NIOCore

/// Writes that wait for the one writer of a database, each with how long it keeps it. Accounts take turns by that, so that
/// one that brings much keeps itself waiting; those of one account keep their order. Pure.
///
/// This is deficit round robin (Shreedhar and Varghese, 1995): each turn gives an account the same credit, which may be
/// overdrawn by one write and is paid back by turns in which it gets nothing, also where nothing of it waits meanwhile: who
/// sends the next large write when the last one is answered has no more of the writer than who sends them all at once.
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
    /// Accounts of which something waits or which have overdrawn their credit, whose turn it is first.
    private var order = CircularBuffer<Name>()

    /// - Parameter credit: the work of a turn.
    init(credit: Int) { self.credit = credit }

    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    /// - Parameter work: one at least.
    mutating func append(_ element: Element, of account: Name, work: Int) {
        count += 1
        if lanes[account] == nil { order.append(account) }
        lanes[account, default: Lane(credit: credit)].waiting.append(Waiting(element: element, work: max(1, work)))
    }

    /// What is next: as many as have no more work together, and one where that alone has more.
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

    /// Whose credit is spent waits for their next turn.
    private mutating func accountInTurn() -> Name? {
        while count > 0, let account = order.first, let lane = lanes[account] {
            if lane.credit > 0, !lane.waiting.isEmpty { return account }
            order.removeFirst()
            giveCredit(to: account)
        }
        return nil
    }

    /// An account that has paid back and brings nothing has no debt left with what it brings next.
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
        // Where nobody waits, nobody waited longer because of what was overdrawn.
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
