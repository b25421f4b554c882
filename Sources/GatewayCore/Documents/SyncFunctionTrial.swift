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
    /// Whether missing attachments will be sent.
    var expectsAttachments = false

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
            return try await verdict(trial, in: self.collection(collection))
        } catch {
            throw GatewayError(error)
        }
    }

    /// If a document was refused lately, checks before its attachments are sent whether it would be refused again: so
    /// the client need not send them each time.
    func refusalAgain(
        of write: DocumentWrite, in collection: CollectionName, as requester: Requester
    ) async -> GatewayError? {
        let user = requester.userName?.text
        guard refusals.holds(document: write.id, collection: collection, user: user) else { return nil }
        var trial = SyncFunctionTrial(write, as: requester)
        trial.expectsAttachments = true
        do {
            return try await run(trial, in: collection).refusal
        } catch {
            // Other errors are reported when it is written.
            return nil
        }
    }

    private func verdict(
        _ trial: SyncFunctionTrial, in collection: DatabaseSetup.Collection
    ) async throws -> SyncFunctionTrial.Verdict {
        if let name = trial.requester.userName, try await views.knownUser(name) == nil {
            throw GatewayError(404, reason: "There is no user '\(name)'")
        }
        if let function = trial.function, let problem = try await environment.syncFunctions.problem(with: function) {
            throw GatewayError(400, reason: "The sync function cannot be run: \(problem)")
        }
        let plan = try await plan(trial, in: collection)
        let call = SyncFunctionCall(
            function: trial.function ?? collection.function, document: plan.newDocument, oldDocument: plan.oldDocument,
            meta: trial.expectsAttachments ? plan.metaWithAllAttachments : plan.meta,
            user: try await views.syncFunctionUser(trial.requester, in: collection.name),
            time: setup.configuration.syncFunctionTime, database: Name(name), keyspace: "\(name).\(collection.name)")
        guard let outcome = try await environment.syncFunctions.run([call]).first else {
            throw GatewayError(500, reason: "The sync function gave no answer")
        }
        let expires = Expiry.time(outcome.expiry, now: now, otherwise: plan.document.expires)
        let channels = SyncDecision(outcome).channels
        return SyncFunctionTrial.Verdict(
            id: plan.document.id, replaced: plan.stored.flatMap { $0.isDeleted ? nil : $0.revision },
            refusal: outcome.refusal ?? plan.stored?.channels.refusal(of: channels), failure: outcome.failure,
            channels: channels, access: outcome.access, roles: outcome.roles, expires: expires)
    }

    func plan(
        _ trial: SyncFunctionTrial, in collection: DatabaseSetup.Collection
    ) async throws -> WritePlan {
        let number = collection.number
        let state = try await store.read(for: trial.requester.account) { store -> DocumentState? in
            guard let stored = try await store.documents.find(trial.write.id, in: number) else {
                return nil
            }
            return try await store.state(of: stored)
        }
        var document = try IncomingDocument(trial.write, now: now)
        if document.edit == .new(replacing: nil), let stored = state?.stored, !stored.isDeleted {
            var write = trial.write
            write.edit = .new(replacing: stored.revision)
            document = try IncomingDocument(write, now: now)
        }
        let view = try await views.view(of: trial.requester, in: collection.name).0
        let rules = setup.configuration.writeRules(for: view)
        switch try await verdict(on: document, state: state, rules: rules, for: trial.requester.account) {
        case .planned(let plan): return plan
        case .known(let revision):
            throw GatewayError(
                409, reason: "The revision \(revision) is stored already; leave it out to try a change of it")
        }
    }
}
