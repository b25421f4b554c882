import AccessControl
import DocumentValues
import SyncFunction

extension WritePlan {
    /// Whether there is more than one leaf, before or after the write.
    var isBranched: Bool { !tree.isLine || !branches.isEmpty }

    /// Whether the document has several live leaves after the write.
    var isInConflict: Bool { !tree.isLine && tree.leaves.count(where: { !$0.isDeleted }) > 1 }

    /// Leaves that are beside the current revision after the write, without the one that it brings.
    func keptBranches() -> [StoredRevision] {
        let current = stored.map { [$0.current] } ?? []
        let leaves = Set(tree.leaves.map(\.revision))
        return (current + branches).filter { leaves.contains($0.revision) && !isCurrent($0.revision) }
    }

    /// Whether the write's revision is a leaf that is not current. A tombstone on a very old branch is none: it is
    /// forgotten at once.
    var isLeafBeside: Bool { !isCurrent(revision) && tree.isLeaf(revision) }

    /// Whether the write's revision descends from a former leaf.
    func hasReplaced(_ leaf: RevisionID) -> Bool { tree.history(of: revision).contains(leaf) }

    private func isCurrent(_ leaf: RevisionID) -> Bool {
        switch effect {
        case .becomesCurrent: leaf == revision
        case .staysBeside: leaf == stored?.revision
        case .promotes(let promoted): leaf == promoted.revision
        }
    }

    /// The write's revision in its stored form.
    func content(_ decision: SyncDecision, at sequence: UInt64) -> StoredRevision {
        StoredRevision(
            revision: revision, isDeleted: document.isDeleted, channels: decision.channels, sequence: sequence,
            expires: document.isDeleted ? nil : decision.expires, attachments: attachments.metadata,
            body: document.body)
    }
}

/// The leaves beside the current revision.
extension DocumentWriter {
    /// Brings the kept leaves in line with the tree.
    ///
    /// - Parameter replaced: gets those that the store is to keep as replaced ones.
    func storeBranches(
        _ plan: WritePlan, decision: SyncDecision, at sequence: UInt64, of number: Int64,
        replaced: inout [ReplacedRevision]
    ) async throws {
        var wanted = plan.keptBranches()
        if plan.isLeafBeside { wanted.append(plan.content(decision, at: sequence)) }
        let kept = Set(wanted.map(\.revision))
        let stored = Set(plan.branches.map(\.revision))
        for branch in plan.branches where !kept.contains(branch.revision) {
            try await transaction.branches.delete(branch.revision, of: number)
            if let document = plan.stored, plan.hasReplaced(branch.revision),
                let revision = remember(branch, of: document)
            {
                replaced.append(revision)
            }
        }
        for branch in wanted where !stored.contains(branch.revision) && !branch.isEmptyTombstone {
            try await transaction.branches.insert(branch, of: number)
        }
    }

    /// Takes over the channels that a sync function now gives to a leaf beside the current revision: they only decide
    /// who may read it.
    ///
    /// - Returns: whether they changed.
    func settle(
        _ branch: StoredRevision, of stored: StoredDocument, outcome: SyncFunctionOutcome
    ) async throws -> Bool {
        let channels = SyncDecision(outcome).channels
        guard channels != branch.channels else { return false }
        try await transaction.branches.setChannels(channels, of: branch.revision, document: stored.number)
        return true
    }
}
