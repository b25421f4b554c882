import DocumentValues

/// The parts of an open database.
final class OpenDatabase: Sendable {
    let configuration: DatabaseConfiguration
    let core: StoreCore
    let changes: ChangeHub
    let expiry: ExpiryTimer

    convenience init(_ folder: DatabaseFolder, configuration: DatabaseConfiguration) throws {
        let core = try StoreCore.open(folder, configuration: configuration)
        let expiry = Self.expiry(of: core)
        let changes = ChangeHub(core: core, expiry: expiry)
        try self.init(core, configuration: configuration, expiry: expiry, changes: changes)
    }

    /// The same database, opened again: its listeners stay.
    convenience init(reopening former: OpenDatabase, configuration: DatabaseConfiguration) throws {
        let core = try StoreCore.open(former.core.folder, configuration: configuration)
        let expiry = Self.expiry(of: core)
        former.changes.follow(core, expiry: expiry)
        try self.init(core, configuration: configuration, expiry: expiry, changes: former.changes)
    }

    private init(
        _ core: StoreCore, configuration: DatabaseConfiguration, expiry: ExpiryTimer, changes: ChangeHub
    ) throws {
        self.configuration = configuration
        self.core = core
        self.expiry = expiry
        self.changes = changes
        core.onCommit { [weak changes] in changes?.commitHappened() }
        core.onExpiration { [weak core, weak expiry] in
            guard let core, let expiry else { return }
            do { expiry.schedule(try core.read(CollectionCatalog.all).nextExpiration) } catch {
                LibraryLog.database.warning("Expired documents are purged when the database is opened next: \(error)")
            }
        }
        expiry.schedule(try core.read(CollectionCatalog.all).nextExpiration)
        for name in try core.read(CollectionCatalog.impossibleNames) {
            LibraryLog.database.error("\(core.path) has a collection that cannot be used: \(name.withControlsEscaped)")
        }
        // A process that was killed may have left terms of purged documents.
        if try core.read(FullTextLeftovers.areThere) { core.planRemovalOfLeftovers() }
        if try core.read(ReleasedBlobs.areThere) { core.removeReleasedBlobs() }
    }

    private static func expiry(of core: StoreCore) -> ExpiryTimer {
        ExpiryTimer { [weak core] in
            do { return try core?.purgeExpired() } catch {
                // The next opening purges them.
                guard let core, core.isOpen else { return nil }
                throw error
            }
        }
    }

    func stop() {
        expiry.cancel()
        changes.close()
    }

    func close() throws {
        changes.reportCommits()
        try core.close(refusing: .closedDatabase)
        stop()
    }

    /// For a change of the key: calls that still have its parts may be tried again.
    func closeKeepingListeners() throws {
        changes.reportCommits()
        try core.close(refusing: .changingKey)
        expiry.cancel()
    }
}
