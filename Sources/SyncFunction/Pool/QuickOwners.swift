/// Whose calls were quick lately, that is in the last hour, or in part of the one before.
///
/// An owner more is a name more in one of two sets, each of which begins with nothing after an hour, or where it has very many.
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
