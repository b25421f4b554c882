/// How carefully calls are run, depending on earlier failures.
enum TripCare: Comparable, Sendable {
    /// Answers are gathered.
    case usual
    /// Each answer is sent at once, so that the first missing answer shows the call at fault.
    case oneByOne
    /// The same in a new worker.
    case newWorker
}

/// The result of a trip.
struct TripEnd: Sendable {
    /// Of the first calls.
    var ends: [CallEnd]
    /// A call took longer than it may, or all together much longer than usual; or a call used up a worker, which takes as
    /// long as thousands of calls.
    var wasSlow: Bool
    /// How to run the calls that have no end yet.
    var careOfRest = TripCare.usual
}
