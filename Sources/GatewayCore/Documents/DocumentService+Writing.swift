import AccessControl
import DocumentValues
import SyncFunction

/// Storing documents: read, decide, call the sync function, and store if nothing has changed since the reading; else
/// begin again.
extension DocumentService {
    /// Stores documents, several in one transaction, and returns when it is durable; one result for each write, in
    /// order.
    ///
    /// - Parameters:
    ///   - asOneRequest: if the sync function takes too long for some documents, the others are refused without a call (503):
    ///     such a request could keep a worker busy for hours.
    ///   - client: when it is gone, documents whose turn has not come are not stored (503). `nil` if it is not known; then a
    ///     cancellation of the task counts alone.
    package func write(
        _ writes: [DocumentWrite], in collection: CollectionName, as requester: Requester, asOneRequest: Bool = false,
        awaitedBy client: ClientPresence? = nil
    ) async -> [WriteResult] {
        let now = now
        var documents: [Result<IncomingDocument, GatewayError>] = []
        documents.reserveCapacity(writes.count)
        var pace = FairPace()
        for write in writes {
            documents.append(Result { try IncomingDocument(write, now: now) }.mapError { GatewayError($0) })
            await pace.giveWay()
        }
        for (write, document) in zip(writes, documents) {
            guard case .failure(let error) = document else { continue }
            noteRefusal(error, of: write.id, in: collection, by: requester.userName?.text)
        }
        return await store(
            documents, in: collection, as: requester, asOneRequest: asOneRequest, awaitedBy: client)
    }

    /// The same for documents that are already parsed.
    func store(
        _ documents: [Result<IncomingDocument, GatewayError>], in collection: CollectionName, as requester: Requester,
        asOneRequest: Bool = false, awaitedBy client: ClientPresence? = nil
    ) async -> [WriteResult] {
        // `nil` for writes that were not tried yet.
        var results = documents.map { document -> WriteResult? in
            if case .failure(let error) = document { return .failure(error) }
            return nil
        }
        let incoming = documents.enumerated().compactMap { index, document in
            (try? document.get()).map { WriteRound.Item(index: index, document: $0) }
        }
        var remaining = incoming
        func refuse(with error: any Error) {
            let failure = GatewayError(error)
            for item in remaining where results[item.index] == nil {
                noteRefusal(failure, of: item.document.id, in: collection, by: requester.userName?.text)
                results[item.index] = .failure(failure)
            }
        }
        let repeated = RepeatedStates(Self.repeatedIDs(incoming))
        // Administrators have no limit of time.
        let isLimited = asOneRequest && requester.userName != nil
        let budget = isLimited ? SlowCallBudget(calls: SyncFunctionLimits.cutOffCalls) : nil
        // Read before the first attempt: a later attempt must not use newer rights.
        let writer: WriterAuthorization?
        do { writer = try await views.writerAuthorization(of: requester) } catch {
            refuse(with: error)
            return results.map { $0 ?? .failure(GatewayError(error)) }
        }
        for _ in 0..<GatewayLimits.configurationAttempts where !remaining.isEmpty {
            do {
                try await WriteRound(
                    service: self, collection: collection, requester: requester, writer: writer, states: repeated,
                    limits: CallLimits(budget: budget, client: client)
                )
                .run(remaining) { index, result in results[index] = result }
            } catch is ConfigurationHasChanged {
                // Stored documents keep their result; the others are decided again, by the present configuration.
            } catch {
                refuse(with: error)
            }
            remaining.removeAll { results[$0.index] != nil }
        }
        return results.map { $0 ?? .failure(.configurationChanges) }
    }

    private static func repeatedIDs(_ items: [WriteRound.Item]) -> Set<Name> {
        var (seen, repeated): (Set<Name>, Set<Name>) = ([], [])
        for item in items where !seen.insert(Name(item.document.id)).inserted {
            repeated.insert(Name(item.document.id))
        }
        return repeated
    }
}

/// This transaction is not stored: it was decided by a configuration that is no longer in force.
private struct ConfigurationHasChanged: Error {}

/// For how long the sync function is called for a request.
private struct CallLimits: Sendable {
    let budget: SlowCallBudget?
    let client: ClientPresence?

    /// Throws 503 if no client waits for the documents any more.
    func checkIsAwaited() throws {
        guard !Task.isCancelled, client?.isGone != true else { throw GatewayError.givenUp }
    }
}

/// The rounds that it takes to store some documents.
private struct WriteRound {
    /// A class, because it goes through all steps of its round: a copy would count each of the document's references.
    final class Item: Sendable {
        let index: Int
        let document: IncomingDocument

        init(index: Int, document: IncomingDocument) {
            self.index = index
            self.document = document
        }
    }

    private struct Planned: Sendable {
        let item: Item
        var write: PlannedWrite
        /// Bytes of the disk that are set aside for it.
        var growth = 0

        var plan: WritePlan { write.plan }
        var work: Int { plan.work(write.decision, promoted: write.promoted) }
    }

    typealias Report = (Int, WriteResult) -> Void

    let service: DocumentService
    /// The version of the configuration by which everything here is decided.
    private let version: String
    private let collection: DatabaseSetup.Collection
    private let user: SyncFunctionUser?
    private let view: AccessView
    private let account: Name
    /// The user whose bytes on the disk are counted; `nil` for administrators.
    private let owner: Name?
    private let writer: WriterAuthorization?
    private let states: RepeatedStates
    private let limits: CallLimits

    init(
        service: DocumentService, collection: CollectionName, requester: Requester, writer: WriterAuthorization?,
        states: RepeatedStates, limits: CallLimits
    ) async throws {
        self.limits = limits
        self.service = service
        self.states = states
        self.writer = writer
        // Read before the rest, so that a change in between is noticed.
        version = service.status.configurationVersion
        self.collection = try service.collection(collection)
        account = requester.account
        owner = requester.userName
        user = try await service.views.syncFunctionUser(requester, in: collection)
        view = try await service.views.view(of: requester, in: collection).0
    }

    /// Documents of the same id come one after the other, each in a round of its own.
    func run(_ items: [Item], report: Report) async throws {
        var pace = FairPace()
        for round in rounds(of: items) {
            await pace.giveWay()
            for start in stride(from: 0, to: round.count, by: GatewayLimits.writeBatch) {
                // Stored documents stay; no client waits for the others.
                try limits.checkIsAwaited()
                let batch = Array(round[start...].prefix(GatewayLimits.writeBatch))
                guard try await runUntilStored(batch, report: report) else {
                    throw GatewayError.leftOut
                }
            }
        }
    }

    private func rounds(of items: [Item]) -> [[Item]] {
        guard !states.areNone else { return [items] }
        var rounds: [[Item]] = []
        var turns: [Name: Int] = [:]
        for item in items {
            let turn = turns[Name(item.document.id), default: 0]
            turns[Name(item.document.id)] = turn + 1
            if turn == rounds.count { rounds.append([]) }
            rounds[turn].append(item)
        }
        return rounds
    }

    /// - Returns: whether to go on with the following ones.
    private func runUntilStored(_ batch: [Item], report: Report) async throws -> Bool {
        var remaining = batch
        var goesOn = true
        for _ in 0..<GatewayLimits.writeAttempts where !remaining.isEmpty {
            let plans = try await plan(remaining, report: report)
            let decided = try await runSyncFunction(plans, report: report)
            if decided.isCutOff { goesOn = false }
            remaining = try await commit(decided.accepted, report: report)
        }
        for item in remaining { report(item.index, .failure(.tooBusy)) }
        return goesOn
    }

    // MARK: - Steps

    private func plan(_ items: [Item], report: Report) async throws -> [(Item, WritePlan)] {
        let planner = DocumentPlanner(
            service: service, account: account, number: collection.number,
            rules: service.setup.configuration.writeRules(for: view), states: states)
        let verdicts = try await planner.verdicts(on: items.map(\.document))
        var plans: [(Item, WritePlan)] = []
        for (item, verdict) in zip(items, verdicts) {
            switch verdict {
            case .success(.planned(let plan)): plans.append((item, plan))
            case .success(.known(let revision)):
                report(
                    item.index, .success(WriteOutcome(id: item.document.id, revision: revision, sequence: nil)))
            case .failure(let error):
                note(error, item: item)
                report(item.index, .failure(error))
            }
        }
        return plans
    }

    private func runSyncFunction(
        _ plans: [(Item, WritePlan)], report: Report
    ) async throws -> (accepted: [Planned], isCutOff: Bool) {
        let outcomes = try await outcomes(plans.map { ($0.1.newDocument, $0.1.oldDocument, $0.1.meta) })
        var accepted: [Planned] = []
        for ((item, plan), outcome) in zip(plans, outcomes) {
            if let decision = decide(outcome, otherwise: item.document.expires, item: item, plan: plan, report: report)
            {
                accepted.append(Planned(item: item, write: PlannedWrite(plan: plan, decision: decision)))
            }
        }
        let isCutOff = outcomes.contains { $0.rejection == .leftOut }
        return (try await promote(accepted, report: report), isCutOff)
    }

    /// Calls the sync function for the leaves that become current: their channels and grants from the time of their
    /// writing may be out of date. As in Sync Gateway it is called in the name of the user who deletes, and its refusal
    /// refuses the deletion.
    private func promote(_ planned: [Planned], report: Report) async throws -> [Planned] {
        let promoted = planned.indices.compactMap { index in
            planned[index].plan.promotedLeaf.map { (index: index, leaf: $0) }
        }
        guard !promoted.isEmpty else { return planned }
        let documents = promoted.map { index, leaf in
            let document = WritePlan.marked(
                leaf.body, id: planned[index].plan.document.id, revision: leaf.revision, isDeleted: leaf.isDeleted)
            return (new: document, old: [UInt8]?.none, meta: leaf.meta)
        }
        let outcomes = try await outcomes(documents)
        var remaining: [Planned?] = planned
        for ((index, leaf), outcome) in zip(promoted, outcomes) {
            let (item, plan) = (planned[index].item, planned[index].plan)
            remaining[index]?.write.promoted = decide(
                outcome, otherwise: leaf.expires, item: item, plan: plan, report: report)
            if remaining[index]?.write.promoted == nil { remaining[index] = nil }
        }
        return remaining.compactMap { $0 }
    }

    private func decide(
        _ outcome: SyncFunctionOutcome, otherwise expires: Int64?, item: Item, plan: WritePlan,
        report: Report
    ) -> SyncDecision? {
        let decision = SyncDecision(
            outcome, expires: Expiry.time(outcome.expiry, now: service.now, otherwise: expires))
        if let refusal = outcome.refusal ?? plan.stored?.channels.refusal(of: decision.channels) {
            note(refusal, detail: outcome.failure, item: item, revision: "\(plan.revision)")
            report(item.index, .failure(refusal))
            return nil
        }
        return decision
    }

    private func note(_ error: GatewayError, detail: String? = nil, item: Item, revision: String? = nil) {
        service.noteRefusal(
            error, detail: detail, of: item.document.id, revision: revision, in: collection.name, by: user?.name.text)
    }

    private func outcomes(
        _ documents: [(new: [UInt8], old: [UInt8]?, meta: SyncFunctionMeta)]
    ) async throws -> [SyncFunctionOutcome] {
        guard !documents.isEmpty else { return [] }
        let time = service.setup.configuration.syncFunctionTime
        let keyspace = "\(service.name).\(collection.name)"
        let calls = documents.map { new, old, meta in
            var call = SyncFunctionCall(
                function: collection.function, document: new, oldDocument: old, meta: meta, user: user, time: time,
                database: Name(service.name), keyspace: keyspace)
            call.budget = limits.budget
            call.client = limits.client
            return call
        }
        let outcomes = try await service.ask(collection, calls: calls)
        guard outcomes.count == calls.count else {
            throw GatewayError.unequalAnswers(outcomes.count, to: calls.count)
        }
        return outcomes
    }

    /// Returns the documents that have changed since they were read.
    private func commit(_ accepted: [Planned], report: Report) async throws -> [Item] {
        var changed: [Item] = []
        for part in accepted.parts(upTo: GatewayLimits.workOfCommit, work: \.work) {
            // Stored documents stay; no client waits for the others.
            try limits.checkIsAwaited()
            changed += try await commit(part, report: report)
        }
        return changed
    }

    /// The same in one transaction.
    private func commit(_ part: WorkPart<Planned>, report: Report) async throws -> [Item] {
        let now = service.now
        let accepted = withRoom(part.elements, at: now, report: report)
        guard !accepted.isEmpty else { return [] }
        let outcomes: [WriteResult?]
        do { outcomes = try await store(accepted, work: part.work, at: now) } catch {
            for planned in accepted { giveBackRoom(of: planned, at: now) }
            throw error
        }
        count(
            zip(accepted, outcomes).compactMap { planned, end in if case .success? = end { planned.plan } else { nil } }
        )
        var changed: [Item] = []
        for (planned, end) in zip(accepted, outcomes) {
            switch end {
            case .success(let outcome)?:
                report(planned.item.index, .success(outcome))
                noteStored(planned)
            case .failure(let error)?:
                giveBackRoom(of: planned, at: now)
                note(error, item: planned.item, revision: "\(planned.plan.revision)")
                report(planned.item.index, .failure(error))
            case nil:
                giveBackRoom(of: planned, at: now)
                changed.append(planned.item)
            }
        }
        return changed
    }

    private func store(_ accepted: [Planned], work: Int, at now: Int64) async throws -> [WriteResult?] {
        let (setup, number, cache, account) = (service.setup, collection.number, service.revisions, account)
        let (status, version) = (service.status, version)
        let (authorization, commits) = (writer, service.store.commits)
        // Administrators delete documents on a full disk, too.
        let mayUseReserve = user == nil && accepted.allSatisfy(\.plan.document.isDeleted)
        // Only asked of the disk where a revision may be replaced: most documents are new.
        let keepsReplaced = accepted.contains { $0.plan.stored != nil } && service.hasRoomForReplaced
        return try await service.store.write(for: account, work: work, mayUseReserve: mayUseReserve) { transaction in
            guard try status.isInForce(version) else { throw ConfigurationHasChanged() }
            try await authorization?.check(in: transaction, after: commits)
            let writer = DocumentWriter(
                transaction, setup: setup, collection: number, cache: cache, now: now, giver: account,
                keepsReplaced: keepsReplaced)
            return try await writer.store(round: accepted.map(\.write))
        }
    }

    private func noteStored(_ planned: Planned) {
        if planned.plan.isInConflict { service.countConflictWrite() }
        for decision in [planned.write.decision, planned.write.promoted] {
            if let expires = decision?.expires { service.environment.expiries.note(expires) }
        }
    }

    /// The documents for which the disk has room, besides the room for others. One that is too large does not prevent the
    /// others of the request from being stored.
    private func withRoom(_ planned: [Planned], at now: Int64, report: Report) -> [Planned] {
        guard let owner else { return planned }
        let staged = planned.reduce(0) { $0 + $1.plan.document.stagedBytes }
        let free = service.freeSpace(besides: owner)
        var measured = planned
        for index in measured.indices {
            let write = measured[index].write
            measured[index].growth = write.plan.growth([write.decision, write.promoted])
        }
        // There is nearly always room for all: then none of them is looked at alone.
        let growth = measured.reduce(0) { $0 + $1.growth }
        if service.takesVolume(growth, of: owner, staged: staged, free: free, at: now) { return measured }
        return measured.compactMap { planned in
            do throws(GatewayError) {
                try service.takeVolume(planned.growth, of: owner, staged: staged, free: free, at: now)
            } catch {
                note(error, item: planned.item, revision: "\(planned.plan.revision)")
                report(planned.item.index, .failure(error))
                return nil
            }
            return planned
        }
    }

    private func giveBackRoom(of planned: Planned, at now: Int64) {
        guard let owner else { return }
        service.giveBackVolume(planned.growth, of: owner, at: now)
    }

    /// Counts the stored documents.
    private func count(_ plans: [WritePlan]) {
        let bytes = plans.reduce(0) { $0 + $1.document.body.count }
        let tombstones = plans.count { $0.document.isDeleted }
        let attachments = plans.lazy.flatMap { $0.attachments.content.values }.compactMap(\.length)
        let (number, size) = attachments.reduce(into: (0, 0)) { $0 = ($0.0 + 1, $0.1 + $1) }
        service.activity.add { values in
            values.collections[collection.name, default: .init()].writes += plans.count
            values.collections[collection.name, default: .init()].writtenBytes += bytes
            values.collections[collection.name, default: .init()].tombstones += tombstones
            values.attachmentsStored += number
            values.attachmentBytesStored += size
        }
    }
}
