/// Counts the work of functions, and asks after each portion of it whether it has to end. SQLite itself asks only between the
/// steps of its machine, and one of these may be a call that takes seconds.
///
/// A connection has one, which is used by one thread at a time.
package final class WorkMeter {
    private let isOver: () -> Bool
    /// Since the last question.
    private var units = 0

    /// - Parameter isOver: whether the work has to end; it may look at a clock.
    package init(isOver: @escaping () -> Bool = { false }) { self.isOver = isOver }

    /// Counts work, best before it is done. A unit is what a byte takes where a text is gone through once, a nanosecond or so.
    ///
    /// - Throws: `WorkEnded` if the work has to end.
    @inline(__always) package func count(_ more: Int) throws {
        units += more
        if units >= QueryLimits.unitsBetweenLooks { try look() }
    }

    /// Once it has to end, each further count throws as well.
    private func look() throws {
        guard !isOver() else { throw WorkEnded() }
        units = 0
    }
}

/// The work of a function is no longer wanted, or takes too long.
package struct WorkEnded: Error, Sendable, Hashable {
    package init() {}
}
