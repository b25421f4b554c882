import DocumentValues

/// The storage of one gateway database: an engine that reads states, runs each write as a whole or not at all, and reports
/// the changes of its commits. Code outside of `Storage` uses only this protocol, so that the engine can be replaced.
///
/// **Bodies** are asynchronous, since an engine may need a round trip for each row. A body that waits for anything else than
/// its store occupies a connection for that long. It must not wait for another read or write of the same store: as many
/// such bodies as there are connections would wait for each other for ever, and a second write never gets its turn. Child
/// tasks of a body, and actors that it calls, may run on the connection's thread.
///
/// **Writes** take effect one after the other. A body sees the changes of all writes whose bodies ended before it, and no
/// other write runs until it has ended. So a body is run once, and no engine may need to run it again since another write
/// came in between; the exception is `WriteTerms.mayUseReserve`. **Reads** run beside them. A read sees one state, with the
/// changes of all writes that had returned when it began; never a part of a write, and nothing that is committed later. A read
/// waits for no write, and a write for no read.
///
/// **Calls** for many rows, such as `documents.put`, are one call, so that an engine can send them in one message. After an
/// error of the engine the body ends with that error, since the engine may have ended the transaction already; then nothing of
/// the write is left, also of a call that had done a part of its work. A row whose content cannot be read is another error
/// (`GatewayError.damaged`, `DamagedPrincipal`, or that of its JSON): after it a body may go on with other rows.
///
/// **Rows** of different kinds do not know each other: deleting a document leaves its branches, attachments and grants where
/// they are, and a row may name a document that is not stored. Exceptions are said where they are. A row that is *replaced* has
/// nothing of the former one; *no row* is no error, except where a requirement says so.
///
/// **Names and ids** are compared and ordered by the bytes of their UTF-8. They may hold any character, also U+0000.
/// **Times** are in seconds since 1970. **Errors** of the engine are `StorageError`s.
protocol GatewayStore: AnyObject, Sendable {
    /// The changes of the commits. The engine makes it with the last sequence that is stored, and appends the effects of
    /// each commit, in the order of the commits, before a write of it returns.
    var commits: CommitEvents { get }
    /// The folder for files that belong to the database and to this process, such as attachments on their way in. It is there
    /// before the store is opened.
    var folder: String { get }
    /// Whether writes find room.
    var disk: DiskSpace { get }
    /// Whether damage was found in the rows that have been read so far.
    var damage: StoreDamage { get }
    /// Reads few small rows without a change of threads; `nil` if the engine cannot do that.
    var inPlace: (any InPlaceReader)? { get }
    /// The work that the engine needs from time to time; `nil` if it needs none.
    var upkeep: (any StoreUpkeep)? { get }

    /// Reads one state of the store. If its task is cancelled, it ends as soon as it can, with an error; the engine
    /// interrupts what runs for it.
    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value

    /// Reads one state of the store for an account. Only a few reads of one account run at a time, so that an account cannot
    /// occupy all the readers.
    func read<Value: Sendable>(
        for account: Name, _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction and returns when it is durable. A throw undoes what this body did, and only that.
    ///
    /// A write whose task is cancelled still waits for its turn and runs, since others may share its commit; its body may
    /// end early by a throw. The accounts take turns (`WriteTurns`).
    func write<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value

    /// Writes in the same way, and returns when no erased bytes are left, as far as that depends on the engine.
    func erase<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value

    /// Waits for the running reads and writes. Those that still wait for their turn, and later ones, get 503
    /// (`GatewayError.underMaintenance`).
    func close() async throws
}

/// The account of a write, and its rights.
struct WriteTerms: Sendable {
    /// The account of the write; accounts take turns. Administrators and the gateway itself share one.
    var account: Name
    /// How long the write occupies the writer, in rows.
    var work: Int
    /// If the disk is full, what the body did is undone, and it runs once more with the reserved space. Others get
    /// `GatewayError.diskFull`, or the engine's error.
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
    var upkeep: (any StoreUpkeep)? { nil }

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
