/// The terms of a collection's pull, which do not change while it runs.
struct PullTerms: Sendable {
    let index: Int
    let hasFilter: Bool
    /// Rows show by flags whether access to their document is lost.
    let hasRowFlags: Bool

    init(index: Int, version: SyncSubprotocol, configuration: ActiveConfiguration) {
        self.index = index
        hasFilter = configuration.collections[index].hasPullFilter
        hasRowFlags = version.hasRowFlags
    }
}
