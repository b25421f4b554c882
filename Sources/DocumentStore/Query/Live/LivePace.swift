/// When a live query runs: at once after a rest, then at most once in an interval while changes go on.
///
/// Times are seconds of any clock that only goes forward.
enum LivePace: Sendable, Hashable {
    /// Nothing has changed since the last run, which ended then; `nil` before the first.
    case resting(since: Double?)
    /// Something has changed, and a run is planned.
    case waiting
    /// A run is under way. `isStale`: something has changed since it began, so another run follows.
    case running(isStale: Bool)
    /// Never again.
    case ended

    enum Action: Sendable, Hashable {
        case nothing
        case run
        /// Call `timeCame` after so many seconds.
        case wait(Double)
    }

    /// Something that the query reads has changed.
    mutating func changed(at now: Double, interval: Double) -> Action {
        switch self {
        case .resting(let last):
            if let last, now < last + interval {
                self = .waiting
                return .wait(last + interval - now)
            }
            self = .running(isStale: false)
            return .run
        case .running:
            self = .running(isStale: true)
            return .nothing
        case .waiting, .ended: return .nothing
        }
    }

    /// The time that was waited for.
    mutating func timeCame() -> Action {
        switch self {
        case .waiting:
            self = .running(isStale: false)
            return .run
        case .resting, .running, .ended: return .nothing
        }
    }

    /// A run has ended.
    mutating func ran(at now: Double, interval: Double) -> Action {
        switch self {
        case .running(isStale: true):
            self = .waiting
            return .wait(interval)
        case .running(isStale: false):
            self = .resting(since: now)
            return .nothing
        case .resting, .waiting, .ended: return .nothing
        }
    }
}
