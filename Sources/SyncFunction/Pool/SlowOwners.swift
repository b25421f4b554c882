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

    /// How long a call of another owner in the database may take. The more owners are slow there, the less it is: one
    /// person may have many accounts, and each of them has to be found out.
    func cut(in database: Name, at now: Duration) -> Duration {
        max(SyncFunctionLimits.slowTrip / (1 + count(in: database, at: now)), SyncFunctionLimits.shortestCut)
    }

    /// The same for an unknown owner: if several are slow, many more may follow.
    func cutOfUnknown(in database: Name, at now: Duration) -> Duration {
        let slow = count(in: database, at: now)
        guard slow < SyncFunctionLimits.severalSlow else { return SyncFunctionLimits.leastWork }
        return SyncFunctionLimits.slowTrip / (1 + slow)
    }

    private func count(in database: Name, at now: Duration) -> Int {
        ends.isEmpty ? 0 : ends.count { $0.key.database == database && $0.value > now }
    }
}
