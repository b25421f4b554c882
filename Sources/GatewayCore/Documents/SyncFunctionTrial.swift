import AccessControl
import DocumentValues
import SyncFunction

/// A document for which a sync function is called without storing it.
package struct SyncFunctionTrial: Sendable {
    /// The write to try. Without a stated revision it replaces the current one.
    package var write: DocumentWrite
    /// The user in whose name; an administrator passes every `require…`.
    package var requester: Requester
    /// Another text than the collection's own function.
    package var function: SyncFunctionSource?

    package init(_ write: DocumentWrite, as requester: Requester, function: SyncFunctionSource? = nil) {
        self.write = write
        self.requester = requester
        self.function = function
    }

    /// The effects that storing the document would have had.
    package struct Verdict: Sendable {
        package let id: String
        /// The revision that the document would have replaced; `nil` for a new document.
        package let replaced: RevisionID?
        /// Why it would have been refused; the rest counts only without it.
        package let refusal: GatewayError?
        /// The engine's text about a failure, for administrators.
        package let failure: String?
        package let channels: Set<Name>
        /// Channels that the document would have granted, by user or `role:` and a role.
        package let access: [Name: Set<Name>]
        /// Roles that it would have granted, by user.
        package let roles: [Name: Set<Name>]
        /// When it would have expired, in seconds since 1970.
        package let expires: Int64?
    }
}

/// Trials of sync functions: all steps of a write before it is stored, and none after. Refusals are not noted, and
/// nothing is counted.
extension DocumentService {
    package func run(
        _ trial: SyncFunctionTrial, in collection: CollectionName
    ) async throws(GatewayError) -> SyncFunctionTrial.Verdict {
        do {
            let collection = try self.collection(collection)
            try await check(trial)
            let document = try IncomingDocument(trial.write, now: now)
            let plan = try await plan(document, in: collection, as: trial.requester)
            let outcome = try await outcome(
                plan, meta: plan.meta, function: trial.function ?? collection.function, in: collection,
                as: trial.requester)
            return verdict(outcome, on: plan)
        } catch {
            throw GatewayError(error)
        }
    }

    private func check(_ trial: SyncFunctionTrial) async throws {
        if let name = trial.requester.userName, try await views.knownUser(name) == nil {
            throw GatewayError.noSuchUser(name)
        }
        if let function = trial.function, let problem = try await environment.syncFunctions.problem(with: function) {
            throw GatewayError.unusableSyncFunction(problem)
        }
    }

    /// If a document was refused lately, checks before its attachments are sent whether it would be refused again: so
    /// the client need not send them each time.
    func refusalAgain(
        of document: IncomingDocument, in collection: CollectionName, as requester: Requester
    ) async -> GatewayError? {
        let user = requester.userName?.text
        guard refusals.holds(document: document.id, collection: collection, user: user) else { return nil }
        do {
            let collection = try self.collection(collection)
            let plan = try await plan(document, in: collection, as: requester)
            let outcome = try await outcome(
                plan, meta: plan.metaWithAllAttachments, function: collection.function, in: collection, as: requester)
            return verdict(outcome, on: plan).refusal
        } catch {
            // Other errors are reported when it is written.
            return nil
        }
    }

    private func outcome(
        _ plan: WritePlan, meta: SyncFunctionMeta, function: SyncFunctionSource,
        in collection: DatabaseSetup.Collection, as requester: Requester
    ) async throws -> SyncFunctionOutcome {
        let call = SyncFunctionCall(
            function: function, document: plan.newDocument, oldDocument: plan.oldDocument, meta: meta,
            user: try await views.syncFunctionUser(requester, in: collection.name),
            time: setup.configuration.syncFunctionTime, database: Name(name), keyspace: "\(name).\(collection.name)")
        guard let outcome = try await environment.syncFunctions.run([call]).first else {
            throw GatewayError.noAnswerOfSyncFunction
        }
        return outcome
    }

    private func verdict(_ outcome: SyncFunctionOutcome, on plan: WritePlan) -> SyncFunctionTrial.Verdict {
        let expires = Expiry.time(outcome.expiry, now: now, otherwise: plan.document.expires)
        let channels = SyncDecision(outcome).channels
        return SyncFunctionTrial.Verdict(
            id: plan.document.id, replaced: plan.stored.flatMap { $0.isDeleted ? nil : $0.revision },
            refusal: outcome.refusal ?? plan.stored?.channels.refusal(of: channels), failure: outcome.failure,
            channels: channels, access: outcome.access, roles: outcome.roles, expires: expires)
    }

    /// What storing the document would mean. Without a stated revision it replaces the current one.
    func plan(
        _ document: IncomingDocument, in collection: DatabaseSetup.Collection, as requester: Requester
    ) async throws -> WritePlan {
        let number = collection.number
        let state = try await store.read(for: requester.account) { store -> DocumentState? in
            guard let stored = try await store.documents.find(document.id, in: number) else { return nil }
            return try await store.state(of: stored)
        }
        var document = document
        if document.edit == .new(replacing: nil), let stored = state?.stored, !stored.isDeleted {
            document = document.replacing(stored.revision)
        }
        let view = try await views.view(of: requester, in: collection.name).0
        let rules = setup.configuration.writeRules(for: view)
        switch try await verdict(on: document, state: state, rules: rules, for: requester.account) {
        case .planned(let plan): return plan
        case .known(let revision):
            throw GatewayError.storedAlready(revision)
        }
    }
}
