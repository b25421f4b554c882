/// Identifies a job that a session gave its driver; the result comes back under the same id.
package struct JobID: Sendable, Hashable {
    package let number: UInt64

    init(_ number: UInt64) { self.number = number }
}
