import Foundation
import Synchronization

/// A database of documents in scopes and collections, kept in one folder.
///
/// All methods may be called from any thread, and the folder may be open in several processes at once: each sees what
/// the others have committed, and its listeners hear of it.
public final class Database: Sendable {
    /// `_default`.
    public static let defaultScopeName = Scope.defaultScopeName
    /// `_default`.
    public static let defaultCollectionName = Collection.defaultCollectionName

    /// As it was opened with.
    public let name: String
    /// A copy of the configuration that it was opened with. After a change of the encryption key it has the former one, and
    /// does not open the database any more.
    public let config: DatabaseConfiguration
    let folder: DatabaseFolder
    private let state: Mutex<State>

    private enum State {
        case open(OpenDatabase, activities: [UInt64: DatabaseActivity], nextActivity: UInt64)
        /// It waits for the calls under way, is closed, and is open again where it was for the key, or has failed.
        case ending(OpenDatabase, Ending)
        case closed
    }

    /// Opens `<directory>/<name>.fieldbook`, which is made if it does not exist.
    ///
    /// - Throws: ``StoreError``: `.invalidParameter` for a name that is empty, `.` or `..`, or has a `/` or NUL in it;
    ///   `.cannotOpenFile` and `.notWritable` for a folder that cannot be made or written; `.notADatabase`, `.wrongFormat` and
    ///   `.corruptData` if the file is another program's, or damaged; `.notADatabase` also if the configuration does not have
    ///   its encryption key; `.databaseTooNew` if a newer version of the library has written it; `.wrongAttachmentStorage` and
    ///   `.wrongPassphrase` if its attachments are not sealed with the configuration's key; `.busy` if another process has kept
    ///   it locked for ten seconds.
    public convenience init(name: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws {
        try DatabaseFolder.checkName(name)
        try self.init(name: name, folder: DatabaseFolder(name: name, directory: config.directory), config: config)
    }

    /// Opens any database folder by its path; it is made if it does not exist.
    ///
    /// - Throws: `.invalidParameter` for an empty path, which would be the folder the program runs in; otherwise the errors of
    ///   ``init(name:config:)``.
    public static func open(
        folder: String, config: DatabaseConfiguration = DatabaseConfiguration()
    ) throws -> Database {
        guard !folder.isEmpty else {
            throw StoreError(.invalidParameter, message: "The path of a database's folder must not be empty.")
        }
        let url = URL(fileURLWithPath: folder, isDirectory: true)
        return try Database(
            name: url.deletingPathExtension().lastPathComponent, folder: DatabaseFolder(url), config: config)
    }

    /// Whether there is a database in a folder, whatever the folder is called.
    public static func exists(folder: String) -> Bool {
        DatabaseFolder(URL(fileURLWithPath: folder, isDirectory: true)).exists
    }

    private init(name: String, folder: DatabaseFolder, config: DatabaseConfiguration) throws {
        self.name = name
        self.config = config
        self.folder = folder
        state = Mutex(.open(try OpenDatabase(folder, configuration: config), activities: [:], nextActivity: 0))
        LibraryLog.database.info("Opened \(folder.url.path)")
    }

    private init(unopened name: String) {
        self.name = name
        config = DatabaseConfiguration()
        folder = DatabaseFolder(name: name, directory: "/")
        state = Mutex(.closed)
    }

    /// A database that was never opened: all calls throw `.notOpen`.
    static let unopened = Database(unopened: "")

    deinit {
        if case .open(let database, _, _) = state.withLock({ $0 }) { database.stop() }
    }

    /// The database's folder; `nil` once it is closed.
    public var path: String? {
        state.withLock { state in
            switch state {
            case .open, .ending(_, .changingKey): folder.url.path
            case .ending, .closed: nil
            }
        }
    }

    // MARK: The open database

    func core() throws -> StoreCore { try opened().core }

    func changeHub() throws -> ChangeHub { try opened().changes }

    func opened() throws -> OpenDatabase {
        try state.withLock { state in
            switch state {
            case .open(let database, _, _): return database
            case .ending(let database, let ending):
                // A part of a call that is waited for.
                guard database.core.isInCall else { throw ending.refusal }
                return database
            case .closed: throw StoreError.closedDatabase
            }
        }
    }

    // MARK: Batches

    /// Runs `block` as one transaction: its saves are stored together. If it throws, none is stored, and the documents and
    /// objects that it has saved or deleted get their former revisions back. A batch is much faster than as many single
    /// saves.
    ///
    /// While it runs, no other thread or process can write to the database. Other threads that save wait until `block` has
    /// returned: a block that waits for one of them, such as by `concurrentPerform`, waits for ever. Another process, or
    /// another `Database` object of the same folder, gets `.busy` after ten seconds. Reading goes on.
    ///
    /// - Returns: what `block` returns.
    /// - Throws: the error of `block`; `.notOpen` if the database is closed, and `.busy`.
    @discardableResult
    public func inBatch<Value>(using block: () throws -> Value) throws -> Value {
        let core = try core()
        return try core.write(.full) { _ in try OpenBatches.run(in: core.folder, block) }
    }

    /// Calls `body` if the batch is rolled back, to take back notes that are kept outside of the database; the last `body` is
    /// called first. It is called on the thread of the batch; outside of a batch never.
    package func whenRolledBack(_ body: @escaping @Sendable () -> Void) throws {
        try core().write(.normal) { transaction in transaction.whenRolledBack(body) }
    }

    // MARK: Closing

    /// Closes the database. All calls that use it fail from then on, also queries that are running, and the sequences of its
    /// changes end. It waits for batches and other calls that other threads have begun. Closing it again does nothing.
    ///
    /// - Throws: `.busy` while replicators run, and inside another call, such as from a stream that it reads;
    ///   `.invalidParameter` inside `inBatch`.
    public func close() throws { try close(for: .closing) }

    /// Closes the database and removes its files; the folder, too, where nothing else is in it.
    ///
    /// - Throws: `.busy` while replicators run, or while another process or another object of this one has it open; in the
    ///   latter case this object is closed all the same. `.invalidParameter` inside `inBatch`.
    public func delete() throws {
        _ = try core()
        try close(for: .deleting)
        try Self.remove(folder)
    }

    private enum Ending: String {
        case closing = "close"
        case deleting = "delete"
        case changingKey = "change the key of"

        /// The error of new calls.
        var refusal: StoreError {
            switch self {
            case .closing, .deleting: .closedDatabase
            case .changingKey: .changingKey
            }
        }
    }

    private func close(for ending: Ending) throws {
        let database = try state.withLock { state -> OpenDatabase? in
            switch state {
            case .ending(_, .closing), .ending(_, .deleting), .closed:
                // The files of one that another thread closes are not to be removed.
                guard ending == .closing else { throw StoreError.closedDatabase }
                return nil
            case .ending(_, .changingKey): throw StoreError.changingKey
            case .open(let database, let activities, _):
                if let activity = activities.values.first { throw Self.refusal(activity, ending: ending) }
                state = .ending(database, ending)
                return database
            }
        }
        guard let database else { return }
        do { try database.close() } catch {
            state.withLock { $0 = .open(database, activities: [:], nextActivity: 0) }
            throw error
        }
        state.withLock { $0 = .closed }
        LibraryLog.database.info("Closed \(folder.url.path)")
    }

    private static func refusal(_ activity: DatabaseActivity, ending: Ending) -> StoreError {
        let what =
            switch activity {
            case .replicator: "replicators"
            case .queryListener: "query listeners"
            }
        let end =
            switch ending {
            case .closing: "closing the database"
            case .deleting: "deleting the database"
            case .changingKey: "changing the key of the database"
            }
        return StoreError(
            .busy, message: "Cannot \(ending.rawValue) the database. Please stop all of the \(what) before \(end).")
    }

    // MARK: Another key

    /// Takes the open database out for `body`, and puts in the one that it leaves there. Other calls fail with `.busy` until
    /// then.
    ///
    /// - Parameter body: leaves `nil` there if the database could not be opened again.
    func exchangeForOtherKey(_ body: (inout OpenDatabase?) throws -> Void) throws {
        var database = try state.withLock { state -> OpenDatabase? in
            switch state {
            case .closed: throw StoreError.closedDatabase
            case .ending(_, let ending): throw ending.refusal
            case .open(let database, let activities, _):
                if let activity = activities.values.first { throw Self.refusal(activity, ending: .changingKey) }
                state = .ending(database, .changingKey)
                return database
            }
        }
        defer {
            state.withLock { $0 = database.map { .open($0, activities: [:], nextActivity: 0) } ?? .closed }
        }
        try body(&database)
    }

    /// While something is registered, the database refuses to be closed and deleted; removing the token unregisters it.
    package func register(_ activity: DatabaseActivity) throws -> ListenerToken {
        let number = try state.withLock { state -> UInt64 in
            switch state {
            case .open(let database, var activities, let number):
                activities[number] = activity
                state = .open(database, activities: activities, nextActivity: number + 1)
                return number
            case .ending(_, let ending): throw ending.refusal
            case .closed: throw StoreError.closedDatabase
            }
        }
        return ListenerToken { [weak self] in
            self?.state.withLock { state in
                guard case .open(let database, var activities, let next) = state else { return }
                activities[number] = nil
                state = .open(database, activities: activities, nextActivity: next)
            }
        }
    }
}

/// An activity that keeps a database from being closed.
package enum DatabaseActivity: String, Sendable, Hashable {
    case replicator
    case queryListener
}

extension StoreError {
    static var closedDatabase: StoreError {
        StoreError(.notOpen, message: "Attempting to perform an operation on a closed database.")
    }

    static var changingKey: StoreError {
        StoreError(
            .busy, message: "The encryption key of the database is being changed.",
            hint: "Try again when that has finished.")
    }
}
