import DocumentValues

/// Which calls a worker gets next.
///
/// Databases take turns, and within each its users. Calls that may take long wait in separate queues: those of owners
/// whose calls were slow lately, and large documents of all other owners, the cheapest first. Each of these two queues
/// uses at most one worker or, if there are few workers, both share one in turns. The other calls of one database never
/// use all of the remaining workers. So slow owners wait for each other, however many they are, and other owners wait for
/// a known slow one no longer than one call may take.
///
/// Whether an owner is slow has to be found out first. So unknown owners also wait in a separate queue. Owners whose last
/// calls were quick go first, except that one worker prefers unknown owners. If there are enough workers, the quick owners of
/// one database always leave one worker to unknown owners. An unknown account waits for all other unknown ones: each that
/// turns out to be slow costs a tenth of a second of a worker, and the worker's replacement. Quick owners only have to wait
/// for an owner that was quick and becomes slow.
///
/// It has no clock: times are counted from any fixed moment.
struct CallSchedule<Job> {
    struct Item {
        var job: Job
        let calls: Int
        let bytes: Int

        var isLarge: Bool { bytes >= SyncFunctionLimits.largeCall }
        /// The time that reading it may take.
        var cost: Duration { SyncFunctionLimits.readingTime(of: bytes) }
    }

    enum Kind: Sendable {
        /// Of an owner whose calls were quick lately.
        case usual
        /// Of an owner who is not known yet.
        case unknown
        /// Of large documents.
        case large
        /// Of an owner whose calls were slow lately.
        case slow

        /// Whether it is likely to be done soon.
        var isShort: Bool {
            switch self {
            case .usual, .unknown: true
            case .large, .slow: false
            }
        }
    }

    /// Jobs of one owner that go to a worker together.
    struct Trip {
        let owner: CallOwner
        let jobs: [Job]
        let kind: Kind
        /// How long one of its calls may take, not counting the time for reading it, until the worker is needed for others,
        /// see `CallTimeout`. A call that is not finished by then is run again among the slow ones. `nil` for the time
        /// limit of any call.
        let cutAfter: Duration?
    }

    private let workers: Int
    private var usual = CallTurns<Item>()
    private var unknown = CallTurns<Item>()
    private var large = CostTurns<Item>()
    private var slow = CallTurns<Item>()
    private var owners = SlowOwners()
    private var quick = QuickOwners()
    /// The present work of the workers.
    private var served: [(owner: CallOwner, kind: Kind)] = []
    private var last = Kind.usual
    private var lastLong = Kind.slow
    private var lastShort = Kind.usual

    init(workers: Int) { self.workers = max(1, workers) }

    /// The most workers for short calls of one database and of one user, and for those of unknown owners of one database:
    /// one more than these and those for long calls always remains.
    private var workersOfDatabase: Int { max(1, workers - 1) }
    private var workersOfOwner: Int { max(1, workers - 2) }
    private var workersOfUnknown: Int { max(1, workers - 3) }
    /// Whether there are enough workers for one each for large documents and for slow owners.
    private var areLongApart: Bool { workers > 3 }

    mutating func add(_ item: Item, of owner: CallOwner, at now: Duration) {
        switch kind(item, owner: owner, now: now) {
        case .usual: usual.append(item, of: owner)
        case .unknown: unknown.append(item, of: owner)
        case .large: large.append(item, of: owner, cost: item.cost)
        case .slow: slow.append(item, of: owner)
        }
    }

    /// Puts back calls that were begun and could not be finished.
    mutating func putBack(_ item: Item, of owner: CallOwner, at now: Duration) {
        switch kind(item, owner: owner, now: now) {
        case .usual: usual.putBack(item, of: owner)
        case .unknown: unknown.putBack(item, of: owner)
        case .large: large.putBack(item, of: owner)
        case .slow: slow.putBack(item, of: owner)
        }
    }

    private func kind(_ item: Item, owner: CallOwner, now: Duration) -> Kind {
        if owners.contains(owner, at: now) { return .slow }
        if item.isLarge { return .large }
        return quick.contains(owner, at: now) ? .usual : .unknown
    }

    /// The next trip for a free worker; `nil` if there is none, or if no more workers may be used for the waiting
    /// calls.
    mutating func next(at now: Duration) -> Trip? {
        guard served.count < workers else { return nil }
        // A single worker serves long calls and short ones in turns.
        let longFirst = workers > 1 || last.isShort
        return longFirst ? nextLong(at: now) ?? nextShort(at: now) : nextShort(at: now) ?? nextLong(at: now)
    }

    private mutating func nextLong(at now: Duration) -> Trip? {
        if areLongApart {
            let busy = served.map(\.kind)
            if !busy.contains(.large), let trip = nextLarge(at: now) { return trip }
            return busy.contains(.slow) ? nil : nextSlow()
        }
        guard served.allSatisfy({ $0.kind.isShort }) else { return nil }
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

    /// Unknown accounts go first on one worker, but not twice in a row, so that no call waits for ever.
    private mutating func nextShort(at now: Duration) -> Trip? {
        let unknownFirst = lastShort == .usual && !served.contains { $0.kind == .unknown }
        return unknownFirst ? nextUnknown(at: now) ?? nextUsual(at: now) : nextUsual(at: now) ?? nextUnknown(at: now)
    }

    private mutating func nextUsual(at now: Duration) -> Trip? {
        let busy = served.filter(\.kind.isShort).map(\.owner)
        let (ofDatabase, ofOwner) = (workersOfDatabase, workersOfOwner)
        let owner = usual.next(
            unless: { database in busy.count { $0.database == database } >= ofDatabase },
            orServed: { owner in busy.count { $0 == owner } >= ofOwner })
        guard let owner else { return nil }
        let cut = owners.cut(in: owner.database, at: now)
        return begin(Trip(owner: owner, jobs: Self.take(from: &usual, of: owner), kind: .usual, cutAfter: cut))
    }

    private mutating func nextUnknown(at now: Duration) -> Trip? {
        let busy = served.filter(\.kind.isShort)
        let (ofDatabase, ofUnknown) = (workersOfDatabase, workersOfUnknown)
        let owner = unknown.next(
            unless: { database in
                let ofThis = busy.filter { $0.owner.database == database }
                return ofThis.count >= ofDatabase || ofThis.count { $0.kind == .unknown } >= ofUnknown
            }, orServed: { _ in false })
        guard let owner else { return nil }
        let cut = owners.cutOfUnknown(in: owner.database, at: now)
        return begin(Trip(owner: owner, jobs: Self.take(from: &unknown, of: owner), kind: .unknown, cutAfter: cut))
    }

    private mutating func begin(_ trip: Trip) -> Trip {
        served.append((trip.owner, trip.kind))
        last = trip.kind
        switch trip.kind {
        case .usual, .unknown: lastShort = trip.kind
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
    /// - Parameter wasSlow: as in `TripEnd`; `nil` for a trip of which all calls were left out, which says nothing about its
    ///   owner.
    mutating func finished(_ trip: Trip, wasSlow: Bool?, at now: Duration) {
        if let index = served.firstIndex(where: { $0.owner == trip.owner && $0.kind == trip.kind }) {
            served.remove(at: index)
        }
        guard let wasSlow else { return }
        if wasSlow { noteSlow(trip.owner, at: now) } else if trip.kind != .slow { noteQuick(trip.owner, at: now) }
    }

    private mutating func noteSlow(_ owner: CallOwner, at now: Duration) {
        owners.note(owner, at: now)
        quick.forget(owner)
        for item in usual.takeAll(of: owner) + unknown.takeAll(of: owner) + large.takeAll(of: owner) {
            slow.append(item, of: owner)
        }
    }

    private mutating func noteQuick(_ owner: CallOwner, at now: Duration) {
        // Another worker may have found out since that the owner is slow.
        guard !owners.contains(owner, at: now) else { return }
        quick.note(owner, at: now)
        for item in unknown.takeAll(of: owner) { usual.append(item, of: owner) }
    }

    /// Returns all waiting jobs, when no more are to be run.
    mutating func takeAll() -> [Job] {
        (usual.takeAll() + unknown.takeAll() + large.takeAll() + slow.takeAll()).map(\.job)
    }
}

extension CallSchedule.Trip: Sendable where Job: Sendable {}
