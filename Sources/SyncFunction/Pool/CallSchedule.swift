import DocumentValues

/// Which calls a worker gets next.
///
/// Databases take turns, and within each its users. Calls that may take long wait apart from the others: those of owners
/// whose calls took long lately, and large documents of everybody else, the cheapest first. Each of the two has one worker
/// at most, or where workers are few one between them, in turns; and the usual ones never have all of them for one
/// database. So however many owners are slow, they wait for each other, and nobody else waits for those that are known
/// longer than one call may take.
///
/// Each has to be found out, though: until then it has its turn among the usual ones of its database, which wait for that
/// up to a quarter second of one of several workers, and the worker's replacement. A hundred users who are slow for the first
/// time within a minute hold the others of their database up for longer than one call may take, other databases not.
///
/// It has no clock: times are counted from any moment that stays the same.
struct CallSchedule<Job> {
    struct Item {
        var job: Job
        let calls: Int
        let bytes: Int

        var isLarge: Bool { bytes >= SyncFunctionLimits.largeCall }
        /// What reading it may take.
        var cost: Duration { SyncFunctionLimits.readingTime(of: bytes) }
    }

    enum Kind: Sendable {
        case usual
        /// Of large documents.
        case large
        /// Of an owner whose calls took long lately.
        case slow
    }

    /// Jobs of one owner that go to a worker together.
    struct Trip {
        let owner: CallOwner
        let jobs: [Job]
        let kind: Kind
        /// How long one of its calls may take, beside the time for reading it, until the worker is wanted for others, see
        /// `CallTimeout`; what is not finished by then goes on among those that are slow. `nil` for as long as any call may
        /// take.
        let cutAfter: Duration?
    }

    private let workers: Int
    private var usual = CallTurns<Item>()
    private var large = CostTurns<Item>()
    private var slow = CallTurns<Item>()
    private var owners = SlowOwners()
    /// What the workers are at.
    private var served: [(owner: CallOwner, kind: Kind)] = []
    private var last = Kind.usual
    private var lastLong = Kind.slow

    init(workers: Int) { self.workers = max(1, workers) }

    /// Workers that may be busy with usual calls of one database, and of one user.
    private var workersOfDatabase: Int { max(1, workers - 1) }
    private var workersOfOwner: Int { max(1, workers - 2) }
    /// Whether large documents and slow owners have a worker each, and enough are left.
    private var areLongApart: Bool { workers > 3 }

    mutating func add(_ item: Item, of owner: CallOwner, at now: Duration) {
        switch kind(item, owner: owner, now: now) {
        case .usual: usual.append(item, of: owner)
        case .large: large.append(item, of: owner, cost: item.cost)
        case .slow: slow.append(item, of: owner)
        }
    }

    /// What was begun and could not be finished.
    mutating func putBack(_ item: Item, of owner: CallOwner, at now: Duration) {
        switch kind(item, owner: owner, now: now) {
        case .usual: usual.putBack(item, of: owner)
        case .large: large.putBack(item, of: owner)
        case .slow: slow.putBack(item, of: owner)
        }
    }

    private func kind(_ item: Item, owner: CallOwner, now: Duration) -> Kind {
        if owners.contains(owner, at: now) { return .slow }
        return item.isLarge ? .large : .usual
    }

    /// The next trip for a free worker; `nil` if there is none, or for those that wait no worker is left.
    mutating func next(at now: Duration) -> Trip? {
        guard served.count < workers else { return nil }
        // A single worker serves long calls and usual ones in turns.
        let longFirst = workers > 1 || last == .usual
        return longFirst ? nextLong(at: now) ?? nextUsual(at: now) : nextUsual(at: now) ?? nextLong(at: now)
    }

    private mutating func nextLong(at now: Duration) -> Trip? {
        if areLongApart {
            let busy = served.map(\.kind)
            if !busy.contains(.large), let trip = nextLarge(at: now) { return trip }
            return busy.contains(.slow) ? nil : nextSlow()
        }
        guard served.allSatisfy({ $0.kind == .usual }) else { return nil }
        return lastLong == .slow ? nextLarge(at: now) ?? nextSlow() : nextSlow() ?? nextLarge(at: now)
    }

    private mutating func nextLarge(at now: Duration) -> Trip? {
        guard let (item, owner) = large.takeNext() else { return nil }
        let cut = owners.cut(in: owner.database, at: now)
        return begin(Trip(owner: owner, jobs: [item.job], kind: .large, cutAfter: cut))
    }

    private mutating func nextSlow() -> Trip? {
        guard let owner = slow.next(unless: { _ in false }, orServed: { _ in false }) else { return nil }
        return begin(Trip(owner: owner, jobs: Self.take(from: &slow, of: owner), kind: .slow, cutAfter: nil))
    }

    private mutating func nextUsual(at now: Duration) -> Trip? {
        let busy = served.filter { $0.kind == .usual }.map(\.owner)
        let (ofDatabase, ofOwner) = (workersOfDatabase, workersOfOwner)
        let owner = usual.next(
            unless: { database in busy.count { $0.database == database } >= ofDatabase },
            orServed: { owner in busy.count { $0 == owner } >= ofOwner })
        guard let owner else { return nil }
        let cut = owners.cut(in: owner.database, at: now)
        return begin(Trip(owner: owner, jobs: Self.take(from: &usual, of: owner), kind: .usual, cutAfter: cut))
    }

    private mutating func begin(_ trip: Trip) -> Trip {
        served.append((trip.owner, trip.kind))
        last = trip.kind
        switch trip.kind {
        case .usual: break
        case .large, .slow: lastLong = trip.kind
        }
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
    /// - Parameter wasSlow: as in `TripEnd`.
    mutating func finished(_ trip: Trip, wasSlow: Bool, at now: Duration) {
        if let index = served.firstIndex(where: { $0.owner == trip.owner && $0.kind == trip.kind }) {
            served.remove(at: index)
        }
        guard wasSlow else { return }
        owners.note(trip.owner, at: now)
        for item in usual.takeAll(of: trip.owner) + large.takeAll(of: trip.owner) {
            slow.append(item, of: trip.owner)
        }
    }

    /// All that waits, when nothing more is to be done.
    mutating func takeAll() -> [Job] { (usual.takeAll() + large.takeAll() + slow.takeAll()).map(\.job) }
}

extension CallSchedule.Trip: Sendable where Job: Sendable {}
