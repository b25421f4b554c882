/// Counts the steps of one loop, and hands them on to the meter in portions: that is quicker than a call for each.
struct MeteredSteps {
    private let meter: WorkMeter
    private var steps = 0

    init(_ meter: WorkMeter) { self.meter = meter }

    /// - Throws: `WorkEnded` if the work has to end.
    @inline(__always) mutating func count(_ more: Int = 1) throws {
        steps += more
        if steps >= QueryLimits.stepsBetweenLooks { try handOn() }
    }

    /// Hands the rest on; at the end of the loop, so that the steps of many short ones count, too.
    mutating func handOn() throws {
        defer { steps = 0 }
        try meter.count(steps * QueryLimits.unitsOfStep)
    }
}
