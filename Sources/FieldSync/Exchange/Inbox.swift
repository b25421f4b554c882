import Synchronization

/// Elements from any thread for one reader, which gets all of them even if its task is cancelled. An `AsyncStream` would end
/// then, and the work that was started would go on without a reader that ends it.
final class Inbox<Element: Sendable>: Sendable {
    private enum State {
        case holding(ArraySlice<Element>)
        case awaited(CheckedContinuation<Element, Never>)
    }

    private let state = Mutex(State.holding([]))

    func put(_ element: Element) {
        let reader: CheckedContinuation<Element, Never>? = state.withLock { state in
            switch state {
            case .holding(var elements):
                // Released first, so that appending does not copy all elements.
                state = .holding([])
                elements.append(element)
                state = .holding(elements)
                return nil
            case .awaited(let reader):
                state = .holding([])
                return reader
            }
        }
        reader?.resume(returning: element)
    }

    /// Waits until there is an element.
    func next() async -> Element {
        await withCheckedContinuation { reader in
            let element: Element? = state.withLock { state in
                guard case .holding(var elements) = state, let first = elements.popFirst() else {
                    state = .awaited(reader)
                    return nil
                }
                state = .holding(elements)
                return first
            }
            if let element { reader.resume(returning: element) }
        }
    }
}
