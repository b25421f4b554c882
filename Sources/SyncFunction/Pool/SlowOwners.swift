import DocumentValues

/// The accounts that had slow calls lately. It takes long to become one of them, so there are few.
struct SlowOwners {
    private var ends: [CallOwner: Duration] = [:]

    mutating func note(_ owner: CallOwner, at now: Duration) {
        ends = ends.filter { $0.value > now }
        ends[owner] = now + SyncFunctionLimits.slowMemory
    }

    func contains(_ owner: CallOwner, at now: Duration) -> Bool {
        guard !ends.isEmpty else { return false }
        return ends[owner].map { $0 > now } ?? false
    }

    /// How long a call of somebody else in the database may take: the less the more are slow there, for one person may have
    /// many accounts, and each has to be found out.
    func cut(in database: Name, at now: Duration) -> Duration {
        max(SyncFunctionLimits.slowTrip / (1 + count(in: database, at: now)), SyncFunctionLimits.shortestCut)
    }

    /// The same of somebody of whom nothing is known: where several are slow, many may follow.
    func cutOfUnknown(in database: Name, at now: Duration) -> Duration {
        let slow = count(in: database, at: now)
        guard slow < SyncFunctionLimits.severalSlow else { return SyncFunctionLimits.leastWork }
        return SyncFunctionLimits.slowTrip / (1 + slow)
    }

    private func count(in database: Name, at now: Duration) -> Int {
        ends.isEmpty ? 0 : ends.count { $0.key.database == database && $0.value > now }
    }
}
