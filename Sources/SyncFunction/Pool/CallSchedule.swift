import DocumentValues

/// Which calls a worker gets next.
///
/// Databases take turns, and within each its users. Two kinds of calls wait apart: those that are *heavy*, by the size
/// of their documents or because their owner's calls took long lately, have one worker at most, and the others never
/// have all of them for one database. So nobody waits for somebody else's slow documents longer than one call may take.
///
/// It has no clock: times are counted from any moment that stays the same.
struct CallSchedule<Job> {
    struct Item {
        var job: Job
        let calls: Int
        let bytes: Int

        var isLarge: Bool { bytes >= SyncFunctionLimits.largeCall }
    }

    /// Jobs of one owner that go to a worker together.
    struct Trip {
        let owner: CallOwner
        let jobs: [Job]
        let isHeavy: Bool
    }

    private let workers: Int
    private var usual = CallTurns<Item>()
    private var heavy = CallTurns<Item>()
    private var slow = SlowOwners()
    /// What the workers are at.
    private var served: [(owner: CallOwner, isHeavy: Bool)] = []
    private var wasHeavy = false

    init(workers: Int) { self.workers = max(1, workers) }

    /// Workers that may be busy with usual calls of one database, and of one user.
    private var workersOfDatabase: Int { max(1, workers - 1) }
    private var workersOfOwner: Int { max(1, workers - 2) }

    mutating func add(_ item: Item, of owner: CallOwner, at now: Duration) {
        if isHeavy(item, owner: owner, now: now) {
            heavy.append(item, of: owner)
        } else {
            usual.append(item, of: owner)
        }
    }

    /// What was begun and could not be finished.
    mutating func putBack(_ item: Item, of owner: CallOwner, at now: Duration) {
        if isHeavy(item, owner: owner, now: now) {
            heavy.putBack(item, of: owner)
        } else {
            usual.putBack(item, of: owner)
        }
    }

    private func isHeavy(_ item: Item, owner: CallOwner, now: Duration) -> Bool {
        item.isLarge || slow.contains(owner, at: now)
    }

    /// The next trip for a free worker; `nil` if there is none, or for those that wait no worker is left.
    mutating func next() -> Trip? {
        guard served.count < workers else { return nil }
        // A single worker serves both kinds in turns.
        let heavyFirst = workers > 1 || !wasHeavy
        return heavyFirst ? nextHeavy() ?? nextUsual() : nextUsual() ?? nextHeavy()
    }

    private mutating func nextHeavy() -> Trip? {
        guard !served.contains(where: \.isHeavy) else { return nil }
        guard let owner = heavy.next(unless: { _ in false }, orServed: { _ in false }) else { return nil }
        return begin(Trip(owner: owner, jobs: Self.take(from: &heavy, of: owner), isHeavy: true))
    }

    private mutating func nextUsual() -> Trip? {
        let busy = served.filter { !$0.isHeavy }.map(\.owner)
        let (ofDatabase, ofOwner) = (workersOfDatabase, workersOfOwner)
        let owner = usual.next(
            unless: { database in busy.count { $0.database == database } >= ofDatabase },
            orServed: { owner in busy.count { $0 == owner } >= ofOwner })
        guard let owner else { return nil }
        return begin(Trip(owner: owner, jobs: Self.take(from: &usual, of: owner), isHeavy: false))
    }

    private mutating func begin(_ trip: Trip) -> Trip {
        served.append((trip.owner, trip.isHeavy))
        wasHeavy = trip.isHeavy
        return trip
    }

    private static func take(from turns: inout CallTurns<Item>, of owner: CallOwner) -> [Job] {
        var (jobs, calls, bytes) = (0, 0, 0)
        return turns.take(of: owner) { item in
            calls += item.calls
            bytes += item.bytes
            jobs += 1
            let fits = calls <= SyncFunctionLimits.callsPerTrip && bytes <= SyncFunctionLimits.bytesPerTrip
            return jobs == 1 || fits && !item.isLarge
        }.map(\.job)
    }

    /// A worker is free again.
    ///
    /// - Parameter wasSlow: a call took longer than it may, or the trip much longer than usual.
    mutating func finished(_ trip: Trip, wasSlow: Bool, at now: Duration) {
        if let index = served.firstIndex(where: { $0.owner == trip.owner && $0.isHeavy == trip.isHeavy }) {
            served.remove(at: index)
        }
        guard wasSlow else { return }
        slow.note(trip.owner, at: now)
        let others = slow.isSlow(trip.owner.database, at: now) ? usual.owners(in: trip.owner.database) : [trip.owner]
        for owner in others {
            for item in usual.takeAll(of: owner) { heavy.append(item, of: owner) }
        }
    }

    /// All that waits, when nothing more is to be done.
    mutating func takeAll() -> [Job] { (usual.takeAll() + heavy.takeAll()).map(\.job) }
}

extension CallSchedule.Trip: Sendable where Job: Sendable {}
