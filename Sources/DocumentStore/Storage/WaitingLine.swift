/// Those that wait, in the order in which they came. Any of them may leave before its turn; each call takes constant time on
/// average.
struct WaitingLine<Element> {
    /// Also the numbers of elements that have left, until there are many of them.
    private var order: [UInt64] = []
    /// Where the first one that may still wait is in `order`.
    private var first = 0
    private var elements: [UInt64: Element] = [:]

    var count: Int { elements.count }

    /// - Parameter number: no other element has it.
    mutating func append(_ element: Element, as number: UInt64) {
        order.append(number)
        elements[number] = element
    }

    mutating func remove(_ number: UInt64) -> Element? {
        defer { tidy() }
        return elements.removeValue(forKey: number)
    }

    mutating func removeFirst() -> Element? {
        defer { tidy() }
        while first < order.count {
            defer { first += 1 }
            if let element = elements.removeValue(forKey: order[first]) { return element }
        }
        return nil
    }

    mutating func removeAll() -> [Element] {
        let all = order[first...].compactMap { elements[$0] }
        self = WaitingLine()
        return all
    }

    /// Drops the numbers of elements that have left, when at least half of the numbers are theirs.
    private mutating func tidy() {
        guard order.count > 2 * elements.count + 16 else { return }
        order = order[first...].filter { elements[$0] != nil }
        first = 0
    }
}
