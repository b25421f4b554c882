import Synchronization

/// Elements from any thread for one reader, who gets all of them also when its task is cancelled: a sequence would end then,
/// and what was started would go on with nobody to end it.
final class Inbox<Element: Sendable>: Sendable {
    private enum State {
        case holding([Element])
        case awaited(CheckedContinuation<Element, Never>)
    }

    private let state = Mutex(State.holding([]))

    func put(_ element: Element) {
        let reader: CheckedContinuation<Element, Never>? = state.withLock { state in
            switch state {
            case .holding(let elements):
                state = .holding(elements + [element])
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
                guard case .holding(let elements) = state, let first = elements.first else {
                    state = .awaited(reader)
                    return nil
                }
                state = .holding(Array(elements.dropFirst()))
                return first
            }
            if let element { reader.resume(returning: element) }
        }
    }
}
