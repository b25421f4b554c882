/// Notices what others do to the user's records while the shell waits: a sync service brings it without a message here. After
/// its first look it reads only later changes.
struct OthersWatch<Item: Hashable> {
    /// The sequence number of the last look; `nil` before the first.
    private var through: UInt64?
    private var shown: Set<Item> = []

    /// - Parameters:
    ///   - known: an item as it is remembered; items that are the same then count once.
    ///   - read: the items after a sequence number, which is set to that of the last one.
    /// - Returns: the items that were not named yet; none at the first look: the greeting counts them, or the sync that brought
    ///   them has named them.
    mutating func new(
        as known: (Item) -> Item = { $0 }, read: (inout UInt64) throws -> [Item]
    ) rethrows -> [Item] {
        let isFirstLook = through == nil
        var sequence = through ?? 0
        let items = try read(&sequence)
        through = sequence
        let unknown = items.filter { !shown.contains(known($0)) }
        shown.formUnion(unknown.map(known))
        return isFirstLook ? [] : unknown
    }
}
