/// Names a piece of work that a session asked of its driver; the result comes back under the same name.
package struct JobID: Sendable, Hashable {
    package let number: UInt64

    init(_ number: UInt64) { self.number = number }
}
