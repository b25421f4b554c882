import DocumentValues

/// The storage of one gateway database: an engine that reads states, runs each write as a whole or not at all, and reports
/// the changes of its commits. Code outside of `Storage` uses only this protocol, so that the engine can be replaced.
///
/// Bodies are asynchronous, since an engine may need a round trip for each row. A body that waits for anything else than
/// its store occupies a connection for that long. A body that waits for another write of the same store never ends.
protocol GatewayStore: AnyObject, Sendable {
    /// The changes of the commits.
    var commits: CommitEvents { get }
    /// The folder for files that belong to the database and to this process.
    var folder: String { get }
    /// Whether writes find room.
    var disk: DiskSpace { get }
    /// Whether damage was found in the rows that have been read so far.
    var damage: FileDamage { get }
    /// Reads few small rows without a change of threads; `nil` if the engine cannot do that.
    var inPlace: (any InPlaceReader)? { get }
    /// Writes whose transaction has not begun.
    var waitingWrites: Int { get }

    /// Reads one state of the store.
    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value

    /// Reads one state of the store for an account. Only a few reads of one account run at a time, so that an account cannot
    /// occupy all the readers.
    func read<Value: Sendable>(
        for account: Name, _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction and returns when it is durable. A throw undoes what this body did, and only that.
    func write<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value

    /// Writes in the same way, and returns when no erased bytes are left, as far as that depends on the engine.
    func erase<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value

    /// Throws 503 if the remaining space is reserved for requests that make room or revoke access.
    func checkRoom() async throws

    /// Waits for the running reads and writes. Later ones get 503.
    func close() throws

    // MARK: Upkeep

    /// Missing bytes of the space that is reserved for requests that make room or revoke access.
    var missingReserve: Int { get }

    /// - Parameter report: called with the number of missing bytes, and with 0 when none are missing any more.
    func onChangeOfReserve(_ report: @escaping @Sendable (_ missing: Int) -> Void)

    /// Reserves that space again if the disk had no room for it before.
    func completeReserve() async

    /// Gives the free space within the store back to the disk, if that is worth the work.
    ///
    /// - Parameter freeSpace: bytes that the disk of a folder has left.
    /// - Throws: 507 if they do not suffice for it.
    func giveBackFreePages(freeSpace: @Sendable @escaping (_ folder: String) -> Int?) async throws

    /// If writes find no room, gives the space of the log back to the disk.
    ///
    /// - Returns: the bytes that the disk lacks for that; if there are any, the log stays as it is.
    func emptyLogIfDiskIsFull() async throws -> Int

    /// Removes erased bytes from the log, if that has not been done yet.
    func emptyLogIfDue() async throws
}

/// The account of a write, and its rights.
struct WriteTerms: Sendable {
    /// The account of the write; accounts take turns. Administrators and the gateway itself share one.
    var account: Name
    /// How long the write occupies the writer, in rows.
    var work: Int
    /// If the disk is full, the write runs once more with the reserved space.
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

    /// Writes in the same way, and returns when no erased bytes are left.
    func erase<Value: Sendable>(
        for account: Name = Requester.admin.account, mayUseReserve: Bool = false,
        _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        try await erase(as: WriteTerms(account: account, mayUseReserve: mayUseReserve), body)
    }
}
