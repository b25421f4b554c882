/// What a collection's push is to do, from its beginning to its end.
struct PushTerms: Sendable {
    let index: Int
    let isContinuous: Bool
    /// Whether the replication pulls too, and so resolves conflicts.
    let pulls: Bool
    let hasPullFilter: Bool
    let usesDeltas: Bool
    /// Whether the pull began at the beginning: it brings whatever the gateway had by then.
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
