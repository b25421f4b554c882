import DocumentValues
import NIOCore

/// Writes that wait for the one writer of a database, each with how long it keeps it. Accounts take turns by that, so that
/// one that brings much keeps itself waiting; those of one account keep their order. Pure.
///
/// This is deficit round robin (Shreedhar and Varghese, 1995): each turn gives an account the same credit, which may be
/// overdrawn by one write and is paid back by turns in which it gets nothing.
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
    /// Accounts of which something waits, whose turn it is first.
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
        while let account = order.first, let credit = lanes[account]?.credit {
            if credit > 0 { return account }
            lanes[account]?.credit += self.credit
            order.removeFirst()
            order.append(account)
        }
        return nil
    }

    private mutating func removeFirst(of account: Name, work: Int) {
        count -= 1
        lanes[account]?.credit -= work
        lanes[account]?.waiting.removeFirst()
        guard lanes[account]?.waiting.isEmpty == true else { return }
        lanes[account] = nil
        order.removeFirst()
    }
}
