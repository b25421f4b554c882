import DocumentValues

/// Waiting entries with a cost each. The database that has waited longest for a turn comes first, and within it the
/// owner who has had the least. So a cheap entry does not wait behind the costly ones of many owners, and a costly one
/// waits for at most one entry of each other owner.
///
/// Within a database this is start-time fair queueing (Goyal, Vin and Cheng, 1996): an entry may start when the entry
/// before it of the same owner has used up its cost, but no earlier than the entry that was taken last. The earliest is
/// next, and among several the cheapest. The entries of one owner keep their order.
///
/// It searches all waiting entries of a database. There are only some thousands, because their documents share a limit
/// of memory.
struct CostTurns<Element> {
    private struct Entry {
        let element: Element
        let owner: CallOwner
        let start: Duration
        let cost: Duration

        func isBefore(_ other: Entry) -> Bool { (start, cost) < (other.start, other.cost) }
    }

    private struct Database {
        var entries: [Entry] = []
        /// The latest start of the entries that were taken.
        var now = Duration.zero
        /// When the last entry of each owner will have used up its cost, if that is later.
        var ends: [CallOwner: Duration] = [:]
    }

    private var databases: [Name: Database] = [:]
    /// The last turn of each database, kept while anything waits, so that deleted databases are not remembered for
    /// ever.
    private(set) var turns: [Name: Int] = [:]
    private var turn = 0

    mutating func append(_ element: Element, of owner: CallOwner, cost: Duration) {
        change(owner.database) { database in
            let start = max(database.ends[owner] ?? .zero, database.now)
            database.ends[owner] = start + cost
            database.entries.append(Entry(element: element, owner: owner, start: start, cost: cost))
        }
    }

    /// Puts an entry that was begun and could not be finished before all others of its database.
    mutating func putBack(_ element: Element, of owner: CallOwner) {
        change(owner.database) { database in
            database.entries.insert(
                Entry(element: element, owner: owner, start: database.now, cost: .zero), at: 0)
        }
    }

    private mutating func change(_ name: Name, by change: (inout Database) -> Void) {
        change(&databases[name, default: Database()])
    }

    mutating func takeNext() -> (element: Element, owner: CallOwner)? {
        guard let name = databases.keys.min(by: { (turns[$0] ?? 0, $0) < (turns[$1] ?? 0, $1) }),
            var database = databases[name],
            let index = database.entries.indices.min(by: { database.entries[$0].isBefore(database.entries[$1]) })
        else { return nil }
        turn += 1
        turns[name] = turn
        let entry = database.entries.remove(at: index)
        database.now = max(database.now, entry.start)
        if let end = database.ends[entry.owner], end <= database.now { database.ends[entry.owner] = nil }
        keep(database, as: name)
        return (entry.element, entry.owner)
    }

    /// Takes all waiting entries of an owner.
    mutating func takeAll(of owner: CallOwner) -> [Element] {
        guard var database = databases[owner.database] else { return [] }
        let taken = database.entries.filter { $0.owner == owner }
        database.entries.removeAll { $0.owner == owner }
        database.ends[owner] = nil
        keep(database, as: owner.database)
        return taken.map(\.element)
    }

    /// A database for which nothing waits begins from zero.
    private mutating func keep(_ database: Database, as name: Name) {
        databases[name] = database.entries.isEmpty ? nil : database
        if databases.isEmpty { turns = [:] }
    }

    /// Takes all waiting entries.
    mutating func takeAll() -> [Element] {
        defer { self = CostTurns() }
        return databases.values.flatMap { $0.entries.map(\.element) }
    }
}
