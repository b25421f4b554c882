/// The owners whose calls were quick lately: in the last hour, or in a part of the one before.
///
/// Each owner is a name in one of two sets. A set is cleared after an hour, or when it has very many names.
struct QuickOwners {
    private var recent: Set<CallOwner> = []
    private var earlier: Set<CallOwner> = []
    /// When `recent` began.
    private var start = Duration.zero

    mutating func note(_ owner: CallOwner, at now: Duration) {
        if now - start >= SyncFunctionLimits.quickMemory || recent.count >= SyncFunctionLimits.quickOwners {
            earlier = now - start < SyncFunctionLimits.quickMemory * 2 ? recent : []
            recent = []
            start = now
        }
        recent.insert(owner)
    }

    mutating func forget(_ owner: CallOwner) {
        recent.remove(owner)
        earlier.remove(owner)
    }

    func contains(_ owner: CallOwner, at now: Duration) -> Bool {
        let age = now - start
        guard age < SyncFunctionLimits.quickMemory * 2 else { return false }
        return recent.contains(owner) || (age < SyncFunctionLimits.quickMemory && earlier.contains(owner))
    }
}
