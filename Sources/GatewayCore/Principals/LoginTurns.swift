/// The waiting logins, and whose turn it is, by round robin in two levels: addresses take turns, and within an address the
/// names do. So an address has one turn in a round, however many names it tries, and a name one turn of its address, however
/// many passwords.
struct LoginTurns: Sendable {
    typealias Applicant = PasswordCheckQueue.Applicant

    private var addresses = Turns<String, Turns<[UInt8], Line>>()

    private(set) var count = 0

    func count(of address: String) -> Int { addresses[address]?.count ?? 0 }

    mutating func append(_ ticket: Int, of applicant: Applicant) {
        count += 1
        addresses.change(applicant.address) { names in
            names.change(applicant.account) { $0.tickets.append(ticket) }
        }
    }

    mutating func removeFirst() -> Int? {
        guard let ticket = addresses.removeFirst() else { return nil }
        count -= 1
        return ticket
    }

    mutating func remove(_ ticket: Int, of applicant: Applicant) {
        var isRemoved = false
        addresses.change(applicant.address) { names in
            names.change(applicant.account) { line in
                guard let index = line.tickets.firstIndex(of: ticket) else { return }
                line.tickets.remove(at: index)
                isRemoved = true
            }
        }
        if isRemoved { count -= 1 }
    }

    /// Takes out the last one of the name that has the most at the address that has the most.
    ///
    /// - Returns: `nil` where no address has more than `limit`.
    mutating func removeLast(moreThan limit: Int) -> Int? {
        guard let address = addresses.largest, count(of: address) > limit else { return nil }
        var last: Int?
        addresses.change(address) { names in
            guard let name = names.largest else { return }
            names.change(name) { last = $0.tickets.popLast() }
        }
        if last != nil { count -= 1 }
        return last
    }
}

/// Entries that can wait for their turn.
private protocol Waiting: Sendable {
    init()
    var count: Int { get }
    mutating func removeFirst() -> Int?
}

/// The tickets of one name, by arrival.
private struct Line: Waiting {
    var tickets: [Int] = []

    var count: Int { tickets.count }

    mutating func removeFirst() -> Int? { tickets.isEmpty ? nil : tickets.removeFirst() }
}

/// The waiting entries, each in the line of its key; the keys take turns.
private struct Turns<Key: Hashable & Sendable, Lane: Waiting>: Waiting {
    private var lanes: [Key: Lane] = [:]
    /// The keys with waiting entries.
    private var order: [Key] = []
    private(set) var count = 0

    subscript(key: Key) -> Lane? { lanes[key] }

    /// The key with the most entries; among several the one whose turn comes last.
    var largest: Key? { order.reversed().max { (lanes[$0]?.count ?? 0) < (lanes[$1]?.count ?? 0) } }

    mutating func change(_ key: Key, by body: (inout Lane) -> Void) {
        var lane = lanes[key] ?? Lane()
        let before = lane.count
        body(&lane)
        count += lane.count - before
        if before == 0, lane.count > 0 { order.append(key) }
        if before > 0, lane.count == 0 { order.removeAll { $0 == key } }
        lanes[key] = lane.count == 0 ? nil : lane
    }

    mutating func removeFirst() -> Int? {
        guard let key = order.first else { return nil }
        order.removeFirst()
        var lane = lanes[key] ?? Lane()
        let ticket = lane.removeFirst()
        count -= 1
        lanes[key] = lane.count == 0 ? nil : lane
        if lane.count > 0 { order.append(key) }
        return ticket
    }
}
