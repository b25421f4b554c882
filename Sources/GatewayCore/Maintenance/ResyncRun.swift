import DocumentValues
import SyncFunction
import Synchronization

/// One run over the documents of some collections, a few at a time.
struct ResyncRun: Sendable {
    let service: MaintenanceService
    let setup: DatabaseSetup
    let collections: [DatabaseSetup.Collection]
    let movesAll: Bool
    /// Whether it goes on although the function fails for many documents.
    let isForced: Bool

    /// Runs to the end, or until it is stopped. Finished transactions stay: each leaves a consistent state.
    func run() async throws {
        // A write that began while the database was online may still be committed. After this empty write there is
        // none.
        try await service.documents.store.write { _ in }
        for collection in collections {
            var last: Int64 = 0
            while try proceeds() {
                let documents = try await read(collection, after: last)
                guard let end = documents.last?.stored.number else { break }
                try await work(documents, collection: collection)
                try checkErrors()
                last = end
            }
        }
    }

    private func proceeds() throws -> Bool {
        try Task.checkCancellation()
        return service.resync.withLock { $0.state == .running }
    }

    /// If a function fails for document after document, it is wrong itself, and further calls are useless.
    private func checkErrors() throws {
        let status = service.resync.withLock { $0 }
        guard !isForced, status.errored >= GatewayLimits.resyncErrors else { return }
        throw GatewayError.failingSyncFunction(for: status.errored, last: status.lastError)
    }

    private func read(_ collection: DatabaseSetup.Collection, after last: Int64) async throws -> [DocumentState] {
        let number = collection.number
        return try await service.documents.store.read { store in
            var states: [DocumentState] = []
            for stored in try await store.documents.page(in: number, after: last, limit: GatewayLimits.resyncBatch) {
                states.append(try await store.state(of: stored))
            }
            return states
        }
    }

    /// The revision that the current one replaced, as in Sync Gateway: as long as it is remembered.
    private func parent(of document: StoredDocument) -> [UInt8]? {
        guard let parent = document.tree.history(of: document.revision).ancestors.first else { return nil }
        return (service.documents.revisions[RevisionCache.Key(document, revision: parent)]?.revision).map { entry in
            WritePlan.replaced(entry.body, id: document.id, isDeleted: entry.isDeleted)
        }
    }

    /// The calls of a sync function: for the current revision, then for the leaves beside it.
    private func calls(_ state: DocumentState, collection: DatabaseSetup.Collection) -> [SyncFunctionCall] {
        let document = state.stored
        return ([document.current] + state.branches).map { leaf in
            SyncFunctionCall(
                function: collection.function,
                document: WritePlan.marked(
                    leaf.body, id: document.id, revision: leaf.revision, isDeleted: leaf.isDeleted),
                oldDocument: leaf.revision == document.revision ? parent(of: document) : nil, meta: leaf.meta,
                time: setup.configuration.syncFunctionTime, database: Name(service.name),
                keyspace: "\(service.name).\(collection.name)")
        }
    }

    /// A document that has changed since (it has expired) got its channels by that change.
    private func work(_ documents: [DocumentState], collection: DatabaseSetup.Collection) async throws {
        let calls = documents.map { self.calls($0, collection: collection) }
        let answers = try await service.documents.ask(collection, calls: calls.flatMap { $0 })
        guard answers.count == calls.reduce(0, { $0 + $1.count }) else {
            throw GatewayError.noAnswerOfSyncFunction
        }
        let failed =
            documents.isEmpty ? [] : note(answers, of: documents, counts: calls.map(\.count), collection: collection)
        // A document that the function refuses is in no channel and grants nothing.
        let outcomes = answers.map { $0.refusal == nil ? $0 : SyncFunctionOutcome() }
        let refused = Self.refused(answers, counts: calls.map(\.count), failed: failed)
        let (setup, number, cache, movesAll) = (setup, collection.number, service.documents.revisions, movesAll)
        let now = service.now
        let settled = try await service.documents.store.write { transaction -> Settled in
            let writer = DocumentWriter(transaction, setup: setup, collection: number, cache: cache, now: now)
            return try await Self.settle(
                documents, outcomes: outcomes, failed: failed, movesAll: movesAll, now: now, with: writer)
        }
        // Differences to these were made for readers of the former channels.
        if !settled.branched.isEmpty { service.documents.revisions.remove(settled.branched) }
        service.resync.withLock { status in
            status.processed += documents.count
            status.changed += settled.changed
            status.refused += refused
            status.errored += settled.excesses.count
            if let last = settled.excesses.last {
                status.lastError = "\(collection.name) \(last.id): \(last.error.reason)"
            }
        }
        service.documents.activity.add(to: collection.name) { counts in
            counts.resyncedDocuments += documents.count
            counts.resyncChanges += settled.changed
        }
    }

    /// The results of one transaction.
    private struct Settled: Sendable {
        var changed = 0
        /// Documents, by their numbers, of which a leaf that is not current has other channels now.
        var branched: Set<Int64> = []
        /// Documents with too many grants.
        var excesses: [(id: String, error: GatewayError)] = []
    }

    /// - Parameter outcomes: of each document's current revision, and then of the leaves beside it.
    private static func settle(
        _ documents: [DocumentState], outcomes: [SyncFunctionOutcome], failed: [Bool], movesAll: Bool, now: Int64,
        with writer: DocumentWriter
    ) async throws -> Settled {
        var (settled, offset) = (Settled(), 0)
        for (number, state) in documents.enumerated() {
            defer { offset += 1 + state.branches.count }
            guard !failed[number], try await writer.isCurrent(state.stored) else { continue }
            var outcome = outcomes[offset]
            if let error = try await writer.excess(of: outcome, over: state.stored) {
                settled.excesses.append((state.stored.id, error))
                // Its channels are still updated, because users who may not see it any more must lose it.
                outcome.withdrawGrants()
            }
            for (number, branch) in state.branches.enumerated()
            where try await writer.settle(branch, of: state.stored, outcome: outcomes[offset + 1 + number]) {
                settled.branched.insert(state.stored.number)
            }
            let expires = Expiry.time(outcome.expiry, now: now, otherwise: state.stored.expires)
            let isMoved = try await writer.settle(
                state.stored, outcome: outcome, expires: expires, movesAlways: movesAll)
            if isMoved || settled.branched.contains(state.stored.number) { settled.changed += 1 }
        }
        return settled
    }

    /// How many present documents the function refuses, without failing.
    private static func refused(_ answers: [SyncFunctionOutcome], counts: [Int], failed: [Bool]) -> Int {
        var (refused, offset) = (0, 0)
        for (index, count) in counts.enumerated() {
            if !failed.isEmpty, !failed[index], answers[offset].refusal != nil { refused += 1 }
            offset += count
        }
        return refused
    }

    /// The documents for which the function failed. Its results for them are ignored: they keep their channels.
    private func note(
        _ answers: [SyncFunctionOutcome], of documents: [DocumentState], counts: [Int],
        collection: DatabaseSetup.Collection
    ) -> [Bool] {
        var (failed, offset) = ([Bool](), 0)
        for (state, count) in zip(documents, counts) {
            let failure = answers[offset..<(offset + count)].first { $0.isFailure }
            offset += count
            failed.append(failure != nil)
            guard let failure else { continue }
            let reason = failure.failure ?? failure.rejection?.reason ?? ""
            service.resync.withLock { status in
                status.errored += 1
                status.lastError = "\(collection.name) \(state.stored.id): \(reason)"
            }
        }
        return failed
    }
}

extension SyncFunctionOutcome {
    /// The function failed, instead of deciding.
    fileprivate var isFailure: Bool {
        switch rejection?.cause {
        case .exception, .unusable: true
        case .thrown, .access, nil: false
        }
    }
}
