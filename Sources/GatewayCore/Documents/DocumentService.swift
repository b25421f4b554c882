import Dispatch
import DocumentValues
import Synchronization
import SyncFunction

/// A database's documents: reading, writing, trying, expiring and erasing them, with attachments and local documents.
package final class DocumentService: DatabaseService {
    let status: DatabaseStatus
    let environment: DatabaseEnvironment
    let store: any GatewayStore
    let views: AccessViews
    let revisions: RevisionCache
    let refusals: RefusalRecord
    let activity = ActivityCounts()
    package let deltaCounts = DeltaCounts()
    /// Writes attachments on their way in.
    let files = DispatchQueue(label: "gateway.files", qos: .userInitiated)
    private let conflictCount = Atomic<Int>(0)
    let volume = Mutex(StoredVolume())

    init(_ parts: DatabaseParts, views: AccessViews, environment: DatabaseEnvironment) {
        status = parts.status
        self.environment = environment
        store = parts.store
        self.views = views
        revisions = RevisionCache(now: environment.now)
        refusals = parts.refusals
    }

    /// Writes after which a document was in conflict, since the database was opened.
    package var conflictWrites: Int { conflictCount.load(ordering: .relaxed) }

    func countConflictWrite() { conflictCount.add(1, ordering: .relaxed) }

    /// The number of cached differences.
    package var rememberedDeltas: Int { revisions.deltaCount }

    /// The default function is not counted, as in Sync Gateway.
    func ask(
        _ collection: DatabaseSetup.Collection, calls: [SyncFunctionCall]
    ) async throws -> [SyncFunctionOutcome] {
        guard collection.functionText != nil else { return try await environment.syncFunctions.run(calls) }
        let start = ContinuousClock.now
        let outcomes = try await environment.syncFunctions.run(calls)
        let time = start.duration(to: .now)
        activity.add(to: collection.name) { $0.function.add(outcomes, time: time) }
        return outcomes
    }
}
