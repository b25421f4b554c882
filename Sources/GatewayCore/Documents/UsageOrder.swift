/// Values in the order of their last use, each in a slot that is its own until it is removed. Nothing takes longer with more
/// values.
struct UsageOrder<Value: Sendable>: Sendable {
    typealias Slot = Int

    private struct Link: Sendable {
        var value: Value?
        /// The slots of the values that were used just before and just after this one.
        var older: Slot?
        var newer: Slot?
    }

    private var links: [Link] = []
    private var unused: [Slot] = []
    /// The slot of the value that was not used for the longest time.
    private(set) var oldest: Slot?
    private var newest: Slot?

    subscript(slot: Slot) -> Value {
        guard let value = links[slot].value else { preconditionFailure("a slot ends with its value") }
        return value
    }

    mutating func insert(_ value: Value) -> Slot {
        let slot: Slot
        if let free = unused.popLast() {
            slot = free
            links[slot].value = value
        } else {
            slot = links.count
            links.append(Link(value: value))
        }
        append(slot)
        return slot
    }

    /// The value is the one that was used last.
    mutating func use(_ slot: Slot) {
        guard slot != newest else { return }
        unlink(slot)
        append(slot)
    }

    mutating func remove(_ slot: Slot) -> Value {
        let value = self[slot]
        unlink(slot)
        links[slot].value = nil
        unused.append(slot)
        return value
    }

    private mutating func append(_ slot: Slot) {
        links[slot].older = newest
        links[slot].newer = nil
        if let newest { links[newest].newer = slot } else { oldest = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Slot) {
        let (older, newer) = (links[slot].older, links[slot].newer)
        if let older { links[older].newer = newer } else { oldest = newer }
        if let newer { links[newer].older = older } else { newest = older }
    }
}
