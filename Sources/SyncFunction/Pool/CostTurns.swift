import DocumentValues

/// Things that wait and have a cost each. Of databases the one comes first that had none for longest, and within it the
/// owner who had least: what is cheap does not wait behind what is dear of many, and what is dear waits for one thing of
/// each other owner at most.
///
/// Within a database this is start-time fair queueing (Goyal, Vin and Cheng, 1996): a thing may start when its owner's
/// one before it has had its cost, but no earlier than the one that was taken last; the earliest is next, and of several
/// the cheapest. Those of one owner keep their order.
///
/// It looks through all that waits in a database, which the memory that their documents share keeps to some thousands.
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
        /// When the thing that was taken last might start.
        var now = Duration.zero
        /// When the last thing of each owner will have had its cost, as far as that is later.
        var ends: [CallOwner: Duration] = [:]
    }

    private var databases: [Name: Database] = [:]
    /// The turn that each database had last, since anything waits: deleted databases are not remembered for ever.
    private(set) var turns: [Name: Int] = [:]
    private var turn = 0

    mutating func append(_ element: Element, of owner: CallOwner, cost: Duration) {
        change(owner.database) { database in
            let start = max(database.ends[owner] ?? .zero, database.now)
            database.ends[owner] = start + cost
            database.entries.append(Entry(element: element, owner: owner, start: start, cost: cost))
        }
    }

    /// What was begun and could not be finished goes before all that waits in its database.
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

    /// All that an owner has waiting.
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

    /// All that waits.
    mutating func takeAll() -> [Element] {
        defer { self = CostTurns() }
        return databases.values.flatMap { $0.entries.map(\.element) }
    }
}
