import AccessControl
import DocumentValues
import SyncFunction

/// Expired documents.
extension DocumentService {
    private struct Ending: Sendable {
        let plan: WritePlan
        let collection: Int64
    }

    /// Makes tombstones of expired documents, some at once; returns whether there may be more.
    ///
    /// The sync function is not called: the tombstone is in no channel and grants nothing. In a document with a
    /// conflict only the current leaf expires; the next one, which may have a time of its own, becomes current.
    ///
    /// - Parameter pass: notes the documents that cannot expire.
    func expireDocuments(in pass: inout ExpiryPass) async throws -> Bool {
        // Read before the setup, so that a change in between is noticed.
        let version = status.configurationVersion
        let (setup, cache, now, former) = (setup, revisions, now, pass)
        let (mayBeMore, promoting, next) = try await store.write { transaction -> (Bool, [Ending], ExpiryPass) in
            var pass = former
            let due = try await transaction.reader.documents.due(
                by: now, after: pass.lastFailed, limit: GatewayLimits.expiryBatch)
            var promoting: [Ending] = []
            var (count, work) = (0, 0)
            for document in due where work < GatewayLimits.workOfCommit {
                count += 1
                let planned: WritePlan?
                do {
                    planned = try await Self.tombstone(of: document.number, setup: setup, in: transaction.reader)
                } catch {
                    // Nothing was written for it, and it must not keep the others from their end.
                    pass.failed(document, error: error)
                    continue
                }
                guard let plan = planned else { continue }
                work += plan.work(SyncDecision(SyncFunctionOutcome()), promoted: nil)
                guard plan.promotedLeaf?.isDeleted ?? true else {
                    promoting.append(Ending(plan: plan, collection: document.collection))
                    continue
                }
                let writer = DocumentWriter(
                    transaction, setup: setup, collection: document.collection, cache: cache, now: now)
                _ = try await writer.store(PlannedWrite(plan: plan, decision: SyncDecision(SyncFunctionOutcome())))
            }
            return (count < due.count || count == GatewayLimits.expiryBatch, promoting, pass)
        }
        pass = next
        if !promoting.isEmpty { try await promote(promoting, setup: setup, version: version) }
        return mayBeMore
    }

    private static func tombstone(
        of number: Int64, setup: DatabaseSetup, in store: any StoreReader
    ) async throws -> WritePlan? {
        guard let stored = try await store.documents.find(number: number) else { return nil }
        let tombstone = try IncomingDocument(
            id: stored.id, edit: .new(replacing: stored.revision), isDeleted: true, body: StoredRevision.emptyBody,
            attachments: nil, expires: nil, content: [:])
        let verdict = try WritePlan.make(
            tombstone, state: try await store.state(of: stored), rules: setup.configuration.writeRules(for: .all))
        guard case .planned(let plan) = verdict else { return nil }
        return plan
    }

    /// A leaf that the function refuses becomes current anyway, but it is in no channel and grants nothing. If the
    /// document or the configuration has changed since, it is done again.
    private func promote(_ endings: [Ending], setup: DatabaseSetup, version: String) async throws {
        var decisions = [SyncDecision](repeating: SyncDecision(SyncFunctionOutcome()), count: endings.count)
        var calls: [(index: Int, call: SyncFunctionCall)] = []
        for (index, ending) in endings.enumerated() {
            guard let leaf = ending.plan.promotedLeaf else { continue }
            decisions[index] = SyncDecision(SyncFunctionOutcome(), expires: leaf.expires)
            // A collection that was removed from the configuration has none.
            guard let collection = setup.names[ending.collection].flatMap({ setup.collections[$0] }) else { continue }
            let document = WritePlan.marked(
                leaf.body, id: ending.plan.document.id, revision: leaf.revision, isDeleted: leaf.isDeleted)
            let call = SyncFunctionCall(
                function: collection.function, document: document, oldDocument: nil, meta: leaf.meta,
                time: setup.configuration.syncFunctionTime, database: Name(name), keyspace: "\(name).\(collection.name)"
            )
            calls.append((index, call))
        }
        let outcomes = try await environment.syncFunctions.run(calls.map(\.call))
        for ((index, _), outcome) in zip(calls, outcomes) where outcome.refusal == nil {
            decisions[index] = SyncDecision(
                outcome, expires: Expiry.time(outcome.expiry, now: now, otherwise: decisions[index].expires))
        }
        let (cache, status, now) = (revisions, status, now)
        try await store.write { [decisions] transaction in
            guard status.configurationVersion.isExactly(version) else { return }
            for (ending, decision) in zip(endings, decisions) {
                let writer = DocumentWriter(
                    transaction, setup: setup, collection: ending.collection, cache: cache, now: now)
                _ = try await writer.store(
                    PlannedWrite(
                        plan: ending.plan, decision: SyncDecision(SyncFunctionOutcome()), promoted: decision))
            }
        }
    }

    /// When the next document expires, in seconds since 1970.
    func nextExpiry() async throws -> Int64? {
        try await store.read { try await $0.documents.nextExpiry() }
    }
}
