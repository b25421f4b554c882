/// How carefully calls are run, after what went wrong with them before.
enum TripCare: Comparable, Sendable {
    /// Answers are gathered.
    case usual
    /// Each answer is sent at once, so that the one which is missing names the call at fault.
    case oneByOne
    /// The same in a worker that nobody used before.
    case newWorker
}

/// What came of a trip.
struct TripEnd: Sendable {
    /// Of the first calls.
    var ends: [CallEnd]
    /// A call took longer than it may, or all together much longer than usual; or a call used up a worker, which takes as
    /// long as thousands of calls.
    var wasSlow: Bool
    /// How those are to be run that have no end.
    var careOfRest = TripCare.usual
}
