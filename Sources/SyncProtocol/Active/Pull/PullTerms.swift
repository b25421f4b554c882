/// What a collection's pull is to do, from its beginning to its end.
struct PullTerms: Sendable {
    let index: Int
    let hasFilter: Bool
    /// Rows say whether access to their document is lost.
    let hasRowFlags: Bool

    init(index: Int, version: SyncSubprotocol, configuration: ActiveConfiguration) {
        self.index = index
        hasFilter = configuration.collections[index].hasPullFilter
        hasRowFlags = version.hasRowFlags
    }
}
