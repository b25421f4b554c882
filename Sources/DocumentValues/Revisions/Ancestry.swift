/// A revision with what is known of those before it: the value that answers who comes from whom.
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

    /// How many steps back `other` lies: 0 for the revision itself, `nil` for what is none of its ancestors.
    public func steps(backTo other: RevisionID) -> Int? {
        if other == revision { return 0 }
        return history.ancestors.firstIndex(of: other).map { $0 + 1 }
    }

    /// Whether `revision` is nearer to this one than `other`; both have to be among the revisions.
    public func isNewer(_ revision: RevisionID, than other: RevisionID) -> Bool {
        guard let steps = steps(backTo: revision), let otherSteps = self.steps(backTo: other) else { return false }
        return steps < otherSteps
    }

    /// What lies before one of the revisions; `nil` if it is not among them.
    public func history(of ancestor: RevisionID) -> RevisionHistory? {
        guard let steps = steps(backTo: ancestor) else { return nil }
        return RevisionHistory(Array(history.ancestors[steps...]))
    }

    /// The revisions from which `newer` may come, newest first, with `shared` as the first one where it is among them: what
    /// the other side never had is of no use to it as a base.
    public func bases(of newer: RevisionID, from shared: RevisionID?, limit: Int) -> [RevisionID] {
        let first = shared.flatMap { steps(backTo: $0) } ?? 0
        return Array(revisions[first...].filter { newer.mayDescend(from: $0) }.prefix(limit))
    }
}

extension RevisionHistory {
    /// A history that ends with the first revision that the receiver was known to have, with what the receiver knows to lie
    /// before that one.
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
