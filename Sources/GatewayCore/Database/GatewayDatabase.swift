import AccessControl
import DocumentValues
import Foundation
import Logging

/// One database of the gateway, on one file: opened, configured and closed here. Its services do the work.
package final class GatewayDatabase: DatabaseService {
    /// Microseconds since 1970.
    package let startTime: Int64

    package let documents: DocumentService
    package let feeds: FeedService
    package let principals: PrincipalService
    package let maintenance: MaintenanceService
    /// Refused documents.
    package let refusals: RefusalRecord
    package let signIns: SignInRecord
    package let activity: ActivityCounts

    let status: DatabaseStatus
    let environment: DatabaseEnvironment
    let store: any GatewayStore
    let commits: CommitEvents
    let contexts: UserContextCache

    init(opened parts: DatabaseParts, environment: DatabaseEnvironment) {
        startTime = Int64(Date().timeIntervalSince1970 * 1_000_000)
        self.environment = environment
        status = parts.status
        store = parts.store
        commits = parts.store.commits
        contexts = parts.contexts
        refusals = parts.refusals
        signIns = parts.signIns
        let views = AccessViews(status: parts.status, store: parts.store, contexts: parts.contexts)
        documents = DocumentService(parts, views: views, environment: environment)
        activity = documents.activity
        feeds = FeedService(parts, views: views, revisions: documents.revisions)
        principals = PrincipalService(parts, views: views, environment: environment)
        maintenance = MaintenanceService(of: documents)
        reportStorage()
    }

    /// Reports to the log what becomes of the storage.
    private func reportStorage() {
        store.disk.onChange { [name = status.name, logger = environment.logger] isFull in
            if isFull {
                logger.error("The disk is full: nothing is stored until there is room", metadata: ["db": "\(name)"])
            } else {
                logger.notice("The disk has room again", metadata: ["db": "\(name)"])
            }
        }
        store.damage.onChange { [name = status.name, folder = store.folder, logger = environment.logger] reason in
            logger.error(
                "The database is damaged. Stop the gateway and restore a backup: fieldbook-gateway restore --replace",
                metadata: ["db": "\(name)", "file": "\(folder)/\(DatabaseParts.fileName)", "error": "\(reason)"])
        }
        store.damage.faults.onFault { [name = status.name, logger = environment.logger] detail in
            logger.error("The storage of the database failed", metadata: ["db": "\(name)", "error": "\(detail)"])
        }
        store.damage.onDamagedPrincipal { [name = status.name, logger = environment.logger] key in
            logger.error(
                """
                A user or a role cannot be read, and such a user counts as disabled. Restore a backup: fieldbook-gateway \
                restore --replace
                """,
                metadata: ["db": "\(name)", "principal": "\(key)"])
        }
        store.upkeep?.onChangeOfReserve { [name = status.name, logger = environment.logger] missing in
            if missing > 0 {
                logger.warning(
                    "The reserve for a full disk is short; it is set aside when there is room",
                    metadata: ["db": "\(name)", "missing_bytes": "\(missing)"])
            } else {
                logger.notice("The reserve for a full disk is set aside again", metadata: ["db": "\(name)"])
            }
        }
    }

    package var name: String { status.name }
    package var state: DatabaseState { status.state }
    package var lastSequence: UInt64 { commits.lastSequence }
    package var collections: [CollectionName] { status.collections }

    /// The damage that was found in the file; `nil` if there is none.
    package var damage: String? {
        store.damage.reason.map { reason in
            "the file \(store.folder)/\(DatabaseParts.fileName) is damaged (\(reason)). Stop the gateway and restore a backup: "
                + "fieldbook-gateway restore --replace"
        }
    }

    /// The last failure of the storage since the database was opened; `nil` if there was none.
    package var storageFault: StorageFault? { store.damage.faults.last }
    /// How many failures of each kind there were.
    package var storageFaults: [(kind: String, count: Int)] { store.damage.faults.counts }

    /// Whether writes were refused lately since the disk is full, or the next one will be.
    package var isDiskFull: Bool { documents.isDiskFull }
    /// Bytes that the reserve for a full disk lacks.
    package var missingReserve: Int { store.upkeep?.missingReserve ?? 0 }

    /// Documents may have several live leaves.
    package var allowsConflicts: Bool { setup.configuration.allowsConflicts }
    /// Whether revisions may be sent as differences.
    package var usesDeltas: Bool { setup.configuration.deltaSync.isEnabled }
    package var crossOriginRules: CrossOriginRules? { setup.configuration.crossOriginRules }
    /// Bytes of one attachment.
    package var attachmentSize: Int { setup.configuration.attachmentSize }

    /// Whether this requester only reads (`unsupported.guest_read_only`).
    package func isReadOnly(for requester: Requester) -> Bool {
        requester == .guest && setup.configuration.isGuestReadOnly
    }

    /// Throws 404 `keyspace db.scope.collection not found`, or 503 while offline.
    package func check(_ collection: CollectionName) throws { _ = try self.collection(collection) }

    package func checkOnline() throws(GatewayError) { try status.checkOnline() }
}
