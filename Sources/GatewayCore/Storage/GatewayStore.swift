import DocumentValues

/// Where one gateway database lies: an engine that reads states, runs writes that are whole or not at all, and reports what
/// its commits changed. Everything outside of `Storage` knows this protocol alone, so that another engine can be put under it.
///
/// Bodies are asynchronous, since a row may be a round trip away. One that waits for something else than its store keeps a
/// connection for that long; one that waits for another write of the same store waits for itself.
protocol GatewayStore: AnyObject, Sendable {
    /// What the commits change.
    var commits: CommitEvents { get }
    /// Where files lie that belong to the database and to this process.
    var folder: String { get }
    /// Whether writes find room.
    var disk: DiskSpace { get }
    /// Whether what is stored is whole, as far as anybody has read it.
    var damage: FileDamage { get }
    /// Few small rows without a change of threads; `nil` where an engine has no such way.
    var inPlace: (any InPlaceReader)? { get }
    /// Writes whose transaction has not begun.
    var waitingWrites: Int { get }

    /// Reads one state of the store.
    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value

    /// Reads one state of the store for somebody: of one account a few at a time, so that what one reads keeps no others from
    /// the readers.
    func read<Value: Sendable>(
        for account: Name, _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction and returns when it is durable. A throw undoes what this body did, and only that.
    func write<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value

    /// The same, and returns when nothing is left of what it erased, as far as that depends on the engine.
    func erase<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value

    /// 503 where what is still free is for those who make room or revoke.
    func checkRoom() async throws

    /// Waits for those who read or write. Later ones get 503.
    func close() throws

    // MARK: Upkeep

    /// Bytes that it lacks of the space that is kept for those who make room or revoke.
    var missingReserve: Int { get }

    /// - Parameter report: called with the bytes that are missing, and with 0 when none are any more.
    func onChangeOfReserve(_ report: @escaping @Sendable (_ missing: Int) -> Void)

    /// Sets that space aside again where there was no room for it.
    func completeReserve() async

    /// Gives what is free inside of it back to the disk, if that is worth it.
    ///
    /// - Parameter freeSpace: bytes that the disk of a folder has left.
    /// - Throws: 507 where they do not suffice for it.
    func giveBackFreePages(freeSpace: @Sendable @escaping (_ folder: String) -> Int?) async throws

    /// Where writes find no room, gives the disk back what the log has.
    ///
    /// - Returns: bytes that the disk lacks for it; then the log stays as it is.
    func emptyLogIfDiskIsFull() async throws -> Int

    /// Empties the log of what was erased, where that is still to be done.
    func emptyLogIfDue() async throws
}

/// On whose account a write is, and what it may have.
struct WriteTerms: Sendable {
    /// Whose write it is; accounts take turns. Administrators' and the gateway's own are one.
    var account: Name
    /// How long it keeps the writer, in rows.
    var work: Int
    /// Where the disk is full, it runs once more with the space that is kept for it.
    var mayUseReserve: Bool

    init(account: Name = Requester.admin.account, work: Int = 1, mayUseReserve: Bool = false) {
        self.account = account
        self.work = work
        self.mayUseReserve = mayUseReserve
    }
}

extension GatewayStore {
    /// A store of several processes, or one behind a network, has none.
    var inPlace: (any InPlaceReader)? { nil }

    /// Runs `body` in a transaction, on these terms.
    func write<Value: Sendable>(
        for account: Name = Requester.admin.account, work: Int = 1, mayUseReserve: Bool = false,
        _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        try await write(as: WriteTerms(account: account, work: work, mayUseReserve: mayUseReserve), body)
    }

    /// The same, and returns when nothing is left of what it erased.
    func erase<Value: Sendable>(
        for account: Name = Requester.admin.account, mayUseReserve: Bool = false,
        _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        try await erase(as: WriteTerms(account: account, mayUseReserve: mayUseReserve), body)
    }
}
