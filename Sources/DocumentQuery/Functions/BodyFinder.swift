/// Looks for a path in one document after the other. It remembers where the keys were, since the next document often
/// has the same ones.
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

/// Memory of its own at a fixed address: an array in the structure would be retained and released for each document.
private final class KeyHints {
    let memory: UnsafeMutablePointer<KeyHint>

    init() {
        memory = .allocate(capacity: KeyHint.count)
        memory.initialize(repeating: KeyHint(), count: KeyHint.count)
    }

    deinit { memory.deallocate() }
}
