/// A revision with its known ancestors: it answers which revision descends from which.
public struct Ancestry: Sendable, Hashable {
    public let revision: RevisionID
    public let history: RevisionHistory

    public init(revision: RevisionID, history: RevisionHistory) {
        self.revision = revision
        self.history = history
    }

    /// The revision, then its ancestors, newest first.
    public var revisions: [RevisionID] { [revision] + history.ancestors }

    /// Whether `other` is the revision or one of its ancestors.
    public func contains(_ other: RevisionID) -> Bool { other == revision || descends(from: other) }

    public func descends(from other: RevisionID) -> Bool { history.contains(other) }

    /// How many steps back `other` is: 0 for the revision itself, `nil` for a revision that is none of its ancestors.
    public func steps(backTo other: RevisionID) -> Int? {
        if other == revision { return 0 }
        return history.ancestors.firstIndex(of: other).map { $0 + 1 }
    }

    /// Whether `revision` is nearer to this one than `other`; both have to be among the revisions.
    public func isNewer(_ revision: RevisionID, than other: RevisionID) -> Bool {
        guard let steps = steps(backTo: revision), let otherSteps = self.steps(backTo: other) else { return false }
        return steps < otherSteps
    }

    /// The ancestors of one of the revisions; `nil` if it is not among them.
    public func history(of ancestor: RevisionID) -> RevisionHistory? {
        guard let steps = steps(backTo: ancestor) else { return nil }
        return RevisionHistory(Array(history.ancestors[steps...]))
    }

    /// The revisions from which `newer` may come, newest first, beginning with `shared` if it is among them: a base that
    /// the other side never had is of no use to it.
    public func bases(of newer: RevisionID, from shared: RevisionID?, limit: Int) -> [RevisionID] {
        let first = shared.flatMap { steps(backTo: $0) } ?? 0
        return Array(revisions[first...].filter { newer.mayDescend(from: $0) }.prefix(limit))
    }
}

extension RevisionHistory {
    /// Completes a history that ends with the first revision that the receiver was known to have: the receiver itself knows
    /// the ancestors of that one.
    public func completed(by known: [Ancestry]) -> RevisionHistory {
        for (index, ancestor) in ancestors.enumerated() {
            for ancestry in known {
                guard let before = ancestry.history(of: ancestor) else { continue }
                return RevisionHistory(Array(ancestors[...index]) + before.ancestors)
            }
        }
        return self
    }
}
