/// A queue: elements are added at one end and taken at the other, each in constant time.
struct Line<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var count: Int { elements.count - start }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[start] }

    /// Counted from the front.
    subscript(index: Int) -> Element { elements[start + index]! }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Adds an element at the front.
    mutating func prepend(_ element: Element) {
        if start > 0 {
            start -= 1
            elements[start] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func removeFirst() {
        elements[start] = nil
        start += 1
        // The free room is as large as the rest: moving the rest costs no more than the elements that were taken.
        guard start * 2 > elements.count else { return }
        elements.removeFirst(start)
        start = 0
    }

    /// Moves an element near the front to the end.
    mutating func moveToEnd(_ index: Int) {
        let moved = self[index]
        for slot in stride(from: start + index, to: start, by: -1) { elements[slot] = elements[slot - 1] }
        removeFirst()
        append(moved)
    }

    /// Moves the first element that fits to the end.
    mutating func rotate(where isWanted: (Element) -> Bool) -> Element? {
        guard let index = (0..<count).first(where: { isWanted(self[$0]) }) else { return nil }
        let found = self[index]
        moveToEnd(index)
        return found
    }

    /// Removes one, searching from the end.
    mutating func removeLast(where isMeant: (Element) -> Bool) {
        guard let index = elements[start...].lastIndex(where: { $0.map(isMeant) ?? false }) else { return }
        elements.remove(at: index)
    }
}

extension Line: Sequence {
    func makeIterator() -> some IteratorProtocol<Element> { elements[start...].lazy.compactMap { $0 }.makeIterator() }
}
