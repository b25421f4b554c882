import AccessControl
import DocumentValues
import Foundation
import Logging
import SodiumCrypto
import Synchronization
import SyncFunction

/// One database of the gateway: its documents, principals and sessions, on one SQLite file.
package final class GatewayDatabase: Sendable {
    package let name: String
    /// Microseconds since 1970.
    package let startTime: Int64

    package enum State: String, Sendable { case online = "Online", offline = "Offline", resyncing = "Resyncing" }

    let store: GatewayStore
    let notifier: ChangeNotifier
    let contexts: UserContextCache
    let credentials: Credentials
    let revisions: RevisionCache
    package let deltaCounts = DeltaCounts()
    package let activity = ActivityCounts()
    /// Documents that were not taken.
    package let refusals: RefusalRecord
    package let signIns: SignInRecord
    let passedOver = PassedOverDocuments()
    private let conflictCount = Atomic<Int>(0)
    let environment: DatabaseEnvironment
    /// Under which session ids are hashed.
    let sessionKey: [UInt8]
    /// What can change while the database is open.
    let status: Mutex<Status>
    let resync = Mutex(ResyncStatus.never)
    let compactions = Mutex<[CompactionStatus.Kind: CompactionStatus]>([:])

    struct Status: Sendable {
        var setup: DatabaseSetup
        var state: State
        var configurationVersion: String
        var times: ConfigurationTimes
        var isGuestEnabled: Bool
    }

    init(opened parts: DatabaseParts, environment: DatabaseEnvironment) {
        name = parts.name
        startTime = Int64(Date().timeIntervalSince1970 * 1_000_000)
        store = parts.store
        notifier = parts.notifier
        contexts = parts.contexts
        sessionKey = parts.sessionKey
        refusals = parts.refusals
        signIns = parts.signIns
        self.environment = environment
        revisions = RevisionCache(now: environment.now)
        credentials = Credentials(strength: environment.passwordStrength)
        status = Mutex(parts.status)
        store.disk.onChange { [name, logger = environment.logger] isFull in
            if isFull {
                logger.error("The disk is full: nothing is stored until there is room", metadata: ["db": "\(name)"])
            } else {
                logger.notice("The disk has room again", metadata: ["db": "\(name)"])
            }
        }
    }

    /// Whether writes were refused lately since the disk is full.
    package var isDiskFull: Bool { store.disk.isFull }

    package var state: State { status.withLock { $0.state } }
    package var lastSequence: UInt64 { notifier.lastSequence }
    package var collections: [CollectionName] { setup.collections.keys.sorted() }

    /// Documents may have several live leaves.
    package var allowsConflicts: Bool { setup.configuration.allowsConflicts }
    /// Writes that left a document in conflict, since the database was opened.
    package var conflictWrites: Int { conflictCount.load(ordering: .relaxed) }

    func countConflictWrite() { conflictCount.add(1, ordering: .relaxed) }

    /// Revisions may travel as differences.
    package var usesDeltas: Bool { setup.configuration.deltaSync.isEnabled }
    /// Differences that are remembered.
    package var rememberedDeltas: Int { revisions.deltaCount }

    package var crossOriginRules: CrossOriginRules? { setup.configuration.crossOriginRules }

    /// Bytes of one attachment.
    package var attachmentSize: Int { setup.configuration.attachmentSize }

    var setup: DatabaseSetup { status.withLock { $0.setup } }

    /// Whether this requester only reads (`unsupported.guest_read_only`).
    package func isReadOnly(for requester: Requester) -> Bool {
        requester == .guest && setup.configuration.isGuestReadOnly
    }

    /// Throws 404 `keyspace db.scope.collection not found`, or 503 while offline.
    package func check(_ collection: CollectionName) throws { _ = try self.collection(collection) }

    func collection(_ name: CollectionName) throws(GatewayError) -> DatabaseSetup.Collection {
        let (state, setup) = status.withLock { ($0.state, $0.setup) }
        guard state == .online else { throw .underMaintenance }
        return try Self.find(name, in: setup, self.name)
    }

    /// Throws 404 for a collection that the configuration does not name; also while the database is offline.
    func checkConfigured(_ name: CollectionName) throws(GatewayError) {
        _ = try Self.find(name, in: setup, self.name)
    }

    private static func find(
        _ name: CollectionName, in setup: DatabaseSetup, _ database: String
    ) throws(GatewayError) -> DatabaseSetup.Collection {
        guard let collection = setup.collections[name] else {
            let keyspace = name.isDefault ? database : "\(database).\(name)"
            throw GatewayError(404, "keyspace \(keyspace) not found")
        }
        return collection
    }

    package func checkOnline() throws(GatewayError) {
        guard state == .online else { throw .underMaintenance }
    }

    /// Seconds since 1970.
    var now: Int64 { environment.now() }

    // MARK: - Who sees what

    /// What a reader sees in a collection, and the sequence at which an administrator last changed the user.
    func view(
        of requester: Requester, in collection: CollectionName
    ) async throws -> (view: AccessView, userSequence: UInt64?) {
        guard let name = requester.userName else { return (.all, nil) }
        let context = try await context(name)
        let view = contexts.view(of: name, in: collection) ?? context.view(of: collection)
        return (view, context.sequence)
    }

    /// Every principal by whose change the reader's view may change.
    func principals(behind requester: Requester) async throws -> Set<Name> {
        guard let name = requester.userName else { return [] }
        return try await context(name).dependencies
    }

    func context(_ name: Name) async throws -> UserContext {
        guard let context = try await knownUser(name) else { throw GatewayError(503, "The user was deleted") }
        return context
    }

    /// `nil` if there is no such user.
    func knownUser(_ name: Name) async throws -> UserContext? {
        if let context = contexts.context(name) { return context }
        let epoch = contexts.epoch
        let names = setup.names
        let loaded = try await store.read { try PrincipalLoader(store: $0, collections: names).user(name) }
        if let loaded { contexts.insert(loaded, readAfter: epoch) }
        return loaded
    }

    /// For the sync function; `nil` for an administrator.
    func syncFunctionUser(
        _ requester: Requester, in collection: CollectionName
    ) async throws -> SyncFunctionUser? {
        guard let name = requester.userName else { return nil }
        let context = try await context(name)
        let (view, _) = try await view(of: requester, in: collection)
        // As in Sync Gateway a role need not exist to be required.
        return SyncFunctionUser(name: name, roles: context.grants.roles.names, channels: view.channels.names)
    }

    // MARK: - Changes

    package func changes(_ request: ChangesRequest, as requester: Requester) throws -> ChangesFeed {
        let collection = try collection(request.collection)
        return ChangesFeed(request, as: requester, collection: collection.number, database: self)
    }
}

/// What databases get from the program around them.
package struct DatabaseEnvironment: Sendable {
    var syncFunctions: any SyncFunctionRunning
    var logger: Logger
    var passwordStrength: PasswordStrength
    /// Seconds since 1970.
    var now: @Sendable () -> Int64
    /// Gets each refusal, with the name of its database.
    var onRefusal: @Sendable (String, RefusedDocument) -> Void
    let jobs = BackgroundJobs()
    let expiries = ExpiryAlarm()

    package init(
        syncFunctions: any SyncFunctionRunning, logger: Logger, passwordStrength: PasswordStrength = .interactive,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        onRefusal: @escaping @Sendable (String, RefusedDocument) -> Void = { _, _ in }
    ) {
        self.syncFunctions = syncFunctions
        self.logger = logger
        self.passwordStrength = passwordStrength
        self.now = now
        self.onRefusal = onRefusal
    }
}
