import DocumentValues

/// Waiting things. Databases take turns, and within a database its users do; the things of one user keep their order.
struct CallTurns<Element> {
    private struct Users {
        var waiting: [CallOwner: Line<Element>] = [:]
        var order = Line<CallOwner>()
    }

    private var databases: [Name: Users] = [:]
    private var order = Line<Name>()

    var isEmpty: Bool { databases.isEmpty }

    mutating func append(_ element: Element, of owner: CallOwner) { add(owner) { $0.append(element) } }

    /// Puts a thing that was begun and could not be finished before the other things of its owner.
    mutating func putBack(_ element: Element, of owner: CallOwner) { add(owner) { $0.prepend(element) } }

    private mutating func add(_ owner: CallOwner, change: (inout Line<Element>) -> Void) {
        let database = owner.database
        if databases[database] == nil { order.append(database) }
        if databases[database]?.waiting[owner] == nil { databases[database, default: Users()].order.append(owner) }
        change(&databases[database, default: Users()].waiting[owner, default: Line()])
    }

    /// Returns the owner whose turn it is, among those that may have one. Then the owner becomes the last of the
    /// database, and the database the last of all.
    ///
    /// - Parameters:
    ///   - isFull: whether a database has as much as it may have.
    ///   - isServed: the same for an owner.
    mutating func next(unless isFull: (Name) -> Bool, orServed isServed: (CallOwner) -> Bool) -> CallOwner? {
        for index in 0..<order.count where !isFull(order[index]) {
            guard let owner = databases[order[index]]?.order.rotate(where: { !isServed($0) }) else { continue }
            order.moveToEnd(index)
            return owner
        }
        return nil
    }

    /// Takes the first things of an owner, as long as they fit the condition.
    mutating func take(of owner: CallOwner, while isWanted: (Element) -> Bool) -> [Element] {
        var taken: [Element] = []
        while let first = databases[owner.database]?.waiting[owner]?.first, isWanted(first) {
            databases[owner.database]?.waiting[owner]?.removeFirst()
            taken.append(first)
        }
        guard databases[owner.database]?.waiting[owner]?.isEmpty == true else { return taken }
        databases[owner.database]?.waiting[owner] = nil
        databases[owner.database]?.order.removeLast { $0 == owner }
        if databases[owner.database]?.waiting.isEmpty == true {
            databases[owner.database] = nil
            order.removeLast { $0 == owner.database }
        }
        return taken
    }

    /// Takes all waiting things of an owner.
    mutating func takeAll(of owner: CallOwner) -> [Element] { take(of: owner) { _ in true } }

    /// Takes all waiting things.
    mutating func takeAll() -> [Element] {
        defer { self = CallTurns() }
        return order.flatMap { database in
            (databases[database]?.order ?? Line()).flatMap { owner in
                Array(databases[database]?.waiting[owner] ?? Line())
            }
        }
    }
}
