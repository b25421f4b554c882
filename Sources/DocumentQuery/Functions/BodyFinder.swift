/// Looks for a path in one document after the other, and remembers which keys they have.
package struct BodyFinder {
    private let target: BodyScanner.Target
    private let hints = KeyHints()

    package init(_ path: QueryPath) { target = BodyScanner.Target(path) }

    /// The bytes of the value; `nil` if there is none.
    package mutating func find(in body: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var scanner = BodyScanner(body)
        return scanner.find(target, hints: hints.memory)
    }
}

/// Memory of a fixed address: what is in an array of a structure that is changed is retained for each document.
private final class KeyHints {
    let memory: UnsafeMutablePointer<KeyHint>

    init() {
        memory = .allocate(capacity: KeyHint.count)
        memory.initialize(repeating: KeyHint(), count: KeyHint.count)
    }

    deinit { memory.deallocate() }
}
