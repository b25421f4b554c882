import AccessControl
import DocumentValues
import SyncFunction

/// A planned write, with the decision of the sync function.
struct PlannedWrite: Sendable {
    let plan: WritePlan
    let decision: SyncDecision
    /// The decision on the leaf that becomes current instead of this revision; `nil` if none does.
    var promoted: SyncDecision?
}

/// Rounds: documents with different ids. Those that need not wait for each other are stored with one call.
extension DocumentWriter {
    /// Stores the documents in their order, except those that have changed since their write was planned: these are `nil`
    /// in the result, and are planned again.
    ///
    /// A document is refused if all documents together would grant a user or role too much. Only the transaction can count
    /// this. So documents with grants are stored one by one: the grants of each count for the next.
    func store(round writes: [PlannedWrite]) async throws -> [WriteResult?] {
        let ids = writes.map(\.plan.document.id)
        let sequences = try await transaction.reader.documents.sequences(of: ids, in: collection)
        var ends = [WriteResult?](repeating: nil, count: writes.count)
        var together: [Int] = []
        func put(_ indices: [Int]) async throws {
            for (index, outcome) in zip(indices, try await self.put(indices.map { writes[$0] })) {
                ends[index] = .success(outcome)
            }
        }
        for (index, write) in writes.enumerated() where sequences[index] == write.plan.stored?.sequence {
            guard grantsSomething(write) else {
                together.append(index)
                continue
            }
            try await put(together)
            together = []
            if let refusal = try await refusal(of: write) {
                ends[index] = .failure(refusal)
            } else {
                try await put([index])
            }
        }
        try await put(together)
        return ends
    }

    /// Stores one document, without checking its grants.
    ///
    /// - Returns: `nil` if the document has changed since the write was planned.
    func store(_ write: PlannedWrite) async throws -> WriteOutcome? {
        let present = try await transaction.reader.documents.sequence(of: write.plan.document.id, in: collection)
        guard present == write.plan.stored?.sequence else { return nil }
        return try await put([write]).first
    }

    private func put(_ writes: [PlannedWrite]) async throws -> [WriteOutcome] {
        guard !writes.isEmpty else { return [] }
        let sequences = try await transaction.nextSequences(writes.count)
        var changes: [DocumentRowChange] = []
        changes.reserveCapacity(writes.count)
        for (write, sequence) in zip(writes, sequences) {
            changes.append(try await change(by: write, at: sequence, deletions: deletions(movedBy: write)))
        }
        let numbers = try await transaction.documents.put(changes, in: collection)
        var replaced: [ReplacedRevision] = []
        for (index, write) in writes.enumerated() {
            try await storeParts(of: write, row: changes[index].row, number: numbers[index], replaced: &replaced)
        }
        if !replaced.isEmpty { try await transaction.oldRevisions.insert(replaced) }
        return zip(writes, sequences).map { write, sequence in
            WriteOutcome(id: write.plan.document.id, revision: write.plan.revision, sequence: sequence)
        }
    }

    /// Stores attachments, grants, branches and replaced revisions, which only few documents have.
    private func storeParts(
        of write: PlannedWrite, row: DocumentRow, number: Int64, replaced: inout [ReplacedRevision]
    ) async throws {
        let plan = write.plan
        if row.attachments != nil || plan.stored?.attachments != nil || plan.isBranched {
            try await storeAttachments(plan, new: row, document: number)
        }
        let grants = plan.stored?.grants ?? DocumentGrants()
        if grants != row.grants {
            try await grantTable.replaceGrants(
                ofDocument: number, in: collection, from: grants, to: row.grants, at: row.sequence)
        }
        if plan.isBranched {
            try await storeBranches(
                plan, decision: write.decision, at: row.sequence, of: number, replaced: &replaced)
        }
        if let stored = plan.stored, !plan.tree.isLeaf(stored.revision) {
            if let revision = remember(stored.current, of: stored) { replaced.append(revision) }
        }
    }

    // MARK: The new row

    private func grantsSomething(_ write: PlannedWrite) -> Bool {
        write.plan.stored.map { !$0.grants.isEmpty } ?? false || !grants(after: write).isEmpty
    }

    private func refusal(of write: PlannedWrite) async throws -> GatewayError? {
        let grants = grants(after: write)
        guard !grants.isEmpty else { return nil }
        return try await grantTable.excess(of: grants, over: write.plan.stored?.grants ?? DocumentGrants())
    }

    /// The grants of the document after the write: those of the leaf that is then current.
    private func grants(after write: PlannedWrite) -> DocumentGrants {
        switch (write.plan.effect, write.plan.stored) {
        case (.staysBeside, let stored?): stored.grants
        case (.promotes, _): write.promoted?.grants ?? DocumentGrants()
        case (.becomesCurrent, _), (.staysBeside, nil): write.decision.grants
        }
    }

    /// The row of the leaf that is current after the write.
    ///
    /// - Parameter deletions: the removals whose entries report that the document was deleted.
    private func change(
        by write: PlannedWrite, at sequence: UInt64, deletions: Set<DocumentChannels.Removal>
    ) -> DocumentRowChange {
        let plan = write.plan
        var channels = plan.stored?.channels ?? DocumentChannels()
        let (leaf, names, expires) = currentLeaf(after: write, at: sequence)
        var entries = channels.update(to: names, at: sequence)
        if isMoved(leaf, over: plan.stored) { channels.move(deletions, to: sequence, in: &entries) }
        let row = DocumentRow(
            sequence: sequence, revision: leaf.revision, isDeleted: leaf.isDeleted, channels: channels, tree: plan.tree,
            expires: leaf.isDeleted ? nil : expires, grants: grants(after: write), attachments: leaf.attachments,
            body: leaf.body)
        return DocumentRowChange(target: .init(plan.stored, id: plan.document.id), row: row, entries: entries)
    }

    /// The leaf that is current after the write, its channels, and when it expires.
    private func currentLeaf(
        after write: PlannedWrite, at sequence: UInt64
    ) -> (StoredRevision, names: Set<Name>, expires: Int64?) {
        let plan = write.plan
        switch (plan.effect, plan.stored) {
        case (.staysBeside, let stored?):
            return (stored.current, Set(stored.channels.current.keys), stored.expires)
        case (.promotes(let leaf), _):
            let decision = write.promoted ?? SyncDecision(SyncFunctionOutcome())
            return (leaf, decision.channels, decision.expires)
        case (.becomesCurrent, _), (.staysBeside, nil):
            let written = plan.content(write.decision, at: sequence)
            return (written, written.channels, write.decision.expires)
        }
    }

    /// Whether a tombstone replaces another current revision. Then the entries that report the deletion move to the new
    /// sequence.
    private func isMoved(_ leaf: StoredRevision, over stored: StoredDocument?) -> Bool {
        leaf.isDeleted && stored.map { $0.revision != leaf.revision } ?? false
    }

    /// The removals whose entries report that the document was deleted, if the write moves them.
    private func deletions(movedBy write: PlannedWrite) async throws -> Set<DocumentChannels.Removal> {
        guard let stored = write.plan.stored, !stored.channels.past.isEmpty,
            isMoved(currentLeaf(after: write, at: 0).0, over: stored)
        else { return [] }
        let removals = stored.channels.past.filter(\.isLatest)
        let deletions = try await transaction.reader.feed.deletions(
            among: removals.map { ChannelEntry(channel: $0.channel, sequence: $0.span.end) }, in: collection)
        return Set(
            removals.filter { deletions.contains(ChannelEntry(channel: $0.channel, sequence: $0.span.end)) })
    }
}
