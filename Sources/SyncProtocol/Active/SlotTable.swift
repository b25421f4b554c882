import NIOCore

/// Values in numbered slots, each in at most one of the queues of waiting values.
///
/// The number of a slot, the value's handle, is valid until the value is removed; then it is used again. A value must have
/// left its queue before it is removed: otherwise the queue would lead to the next value of the slot.
struct SlotTable<Value: Sendable, Queue: RawRepresentable<Int> & CaseIterable & Sendable>: Sendable {
    typealias Handle = Int

    private struct Slot: Sendable {
        var value: Value
        /// The queue in which the value waits.
        var queue: Queue?
    }

    private var slots: [Slot?] = []
    private var unused: [Handle] = []
    private var queues = Array(repeating: CircularBuffer<Handle>(), count: Queue.allCases.count)

    var count: Int { slots.count - unused.count }

    subscript(handle: Handle) -> Value {
        get { slot(handle).value }
        set { slots[handle] = Slot(value: newValue, queue: slot(handle).queue) }
    }

    private func slot(_ handle: Handle) -> Slot {
        guard let slot = slots[handle] else { preconditionFailure("a handle ends with its value") }
        return slot
    }

    mutating func add(_ value: Value) -> Handle {
        let slot = Slot(value: value, queue: nil)
        if let handle = unused.popLast() {
            slots[handle] = slot
            return handle
        }
        slots.append(slot)
        return slots.count - 1
    }

    @discardableResult
    mutating func remove(_ handle: Handle) -> Value {
        precondition(!isWaiting(handle), "a value that waits is not removed")
        let value = self[handle]
        slots[handle] = nil
        unused.append(handle)
        return value
    }

    // MARK: - Waiting values

    /// Whether the value is in a queue.
    func isWaiting(_ handle: Handle) -> Bool { slot(handle).queue != nil }

    /// - Parameter isFirst: whether it has its turn before the others.
    mutating func enqueue(_ handle: Handle, in queue: Queue, isFirst: Bool = false) {
        precondition(!isWaiting(handle), "a value waits in one queue")
        slots[handle]?.queue = queue
        if isFirst { queues[queue.rawValue].prepend(handle) } else { queues[queue.rawValue].append(handle) }
    }

    func count(in queue: Queue) -> Int { queues[queue.rawValue].count }

    func first(in queue: Queue) -> Handle? { queues[queue.rawValue].first }

    mutating func popFirst(_ queue: Queue) -> Handle? {
        guard let handle = queues[queue.rawValue].popFirst() else { return nil }
        slots[handle]?.queue = nil
        return handle
    }

    /// - Parameter limit: how many at most; the rest keeps its order.
    mutating func pop(_ queue: Queue, limit: Int = .max) -> [Handle] {
        var taken: [Handle] = []
        while taken.count < limit, let handle = popFirst(queue) { taken.append(handle) }
        return taken
    }

    /// Takes the values for which `isTaken` is true out of the queue; the others keep their order.
    mutating func pop(_ queue: Queue, where isTaken: (Value) -> Bool) -> [Handle] {
        let taken = queues[queue.rawValue].filter { isTaken(self[$0]) }
        guard !taken.isEmpty else { return [] }
        for handle in taken { slots[handle]?.queue = nil }
        queues[queue.rawValue] = queues[queue.rawValue].filter { isWaiting($0) }
        return Array(taken)
    }
}
