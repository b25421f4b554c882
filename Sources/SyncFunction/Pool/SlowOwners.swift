import DocumentValues

/// Who had calls lately that took long. It takes long to become one, so there are few.
struct SlowOwners {
    private var ends: [CallOwner: Duration] = [:]

    mutating func note(_ owner: CallOwner, at now: Duration) {
        ends = ends.filter { $0.value > now }
        ends[owner] = now + SyncFunctionLimits.slowMemory
    }

    /// Whether an owner is one, or two others of the database are: then it is the function's way of working.
    func contains(_ owner: CallOwner, at now: Duration) -> Bool {
        guard !ends.isEmpty else { return false }
        return ends[owner].map { $0 > now } ?? false || isSlow(owner.database, at: now)
    }

    func isSlow(_ database: Name, at now: Duration) -> Bool {
        ends.count { $0.key.database == database && $0.value > now } >= SyncFunctionLimits.slowUsersOfSlowDatabase
    }
}
