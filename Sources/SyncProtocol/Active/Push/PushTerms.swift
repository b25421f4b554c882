/// The terms of a collection's push, which do not change while it runs.
struct PushTerms: Sendable {
    let index: Int
    let isContinuous: Bool
    /// Whether the replication also pulls, and so resolves conflicts.
    let pulls: Bool
    let hasPullFilter: Bool
    let usesDeltas: Bool
    /// Whether the pull began at the beginning: then it brings all revisions that the gateway had at that time.
    let pullsAll: Bool

    init(index: Int, configuration: ActiveConfiguration, pullsAll: Bool) {
        self.index = index
        isContinuous = configuration.isContinuous
        pulls = configuration.pulls
        hasPullFilter = configuration.collections[index].hasPullFilter
        usesDeltas = configuration.usesDeltas
        self.pullsAll = pullsAll
    }
}
