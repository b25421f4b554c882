import DocumentValues
import Foundation
import Logging
import Synchronization
import SyncFunction

/// The databases of a gateway: a folder each under one path.
package final class DatabaseRegistry: Sendable {
    private let path: String
    private let environment: DatabaseEnvironment
    private let databases = Mutex<[Name: GatewayDatabase]>([:])
    private let faults = Mutex<[Name: GatewayError]>([:])
    /// Names that are being made or deleted.
    private let busy = Mutex<Set<Name>>([])

    private init(path: String, environment: DatabaseEnvironment) {
        self.path = path
        self.environment = environment
    }

    /// Opens every existing database. One that cannot be opened does not keep the others from being served.
    package static func open(path: String, environment: DatabaseEnvironment) async throws -> DatabaseRegistry {
        let registry = DatabaseRegistry(path: path, environment: environment)
        let files = FileManager.default
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in try BackupCopy.lost(storage: path) where !NewDatabaseFolder("\(path)/\(name)").isUnfinished {
            registry.note(
                "The database has lost its file \(path)/\(name)/\(DatabaseParts.fileName). Is its disk mounted? Otherwise "
                    + "restore it from a backup: fieldbook-gateway restore --replace, or move its folder away", of: name
            )
        }
        for name in try files.contentsOfDirectory(atPath: path).sorted() {
            let folder = registry.folder(name)
            guard DatabaseName.isValid(name), files.fileExists(atPath: folder + "/" + DatabaseParts.fileName),
                !NewDatabaseFolder(folder).isUnfinished
            else { continue }
            guard !DatabaseName.reserved.contains(Name(name)) else {
                registry.note(
                    "A database cannot be named \(name) any more: deleted databases are kept in \(folder). Stop the gateway, "
                        + "move the database's files from there into a folder of another name in \(path), and start it again",
                    of: name)
                continue
            }
            do {
                let parts = try await DatabaseParts.open(
                    name, folder: folder, configuration: nil, environment: environment)
                let database = GatewayDatabase(opened: parts, environment: environment)
                registry.databases.withLock { $0[Name(name)] = database }
            } catch {
                let other = "The database's files in \(folder) cannot be used: \(error). Check who owns them"
                registry.note((error as? GatewayError)?.reason ?? other, of: name)
            }
        }
        return registry
    }

    /// Why a database is not served, for administrators: its file, and the way out.
    private func note(_ fault: String, of name: String) {
        environment.logger.error("A database is not served", metadata: ["db": "\(name)", "reason": "\(fault)"])
        faults.withLock { $0[Name(name)] = GatewayError.notServed(fault) }
    }

    /// Why an existing database is not served: 503 with its file and the way out.
    package func fault(of name: String) -> GatewayError? { faults.withLock { $0[Name(name)] } }

    /// The existing databases that are not served, by name.
    package var allFaults: [(name: String, error: GatewayError)] {
        faults.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) } }
    }

    /// Runs the long jobs of databases, until it is cancelled.
    package func runJobs() async { await environment.jobs.run() }

    /// Waits until housekeeping is due.
    func rest(seconds: Int64) async throws {
        try await environment.expiries.rest(seconds: seconds, until: environment.now() + seconds)
    }

    package var names: [String] { databases.withLock { $0.keys.sorted().map(\.text) } }

    package var all: [GatewayDatabase] { databases.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    package func database(_ name: String) -> GatewayDatabase? { databases.withLock { $0[Name(name)] } }

    /// `PUT /{db}/`: 412 `Duplicate database name "db"`, 400 with the error in the configuration.
    package func create(_ name: String, configuration: [UInt8]) async throws -> GatewayDatabase {
        guard DatabaseName.isValid(name), !DatabaseName.reserved.contains(Name(name)) else {
            throw GatewayError.invalidConfiguration("400 Illegal database name: \(name)")
        }
        let object = try GatewayDatabaseConfiguration.parse(configuration)
        if let given = object["name"]?.stringValue, !given.isExactly(name) {
            throw GatewayError.otherNameInBody(given, path: name)
        }
        try GatewayDatabaseConfiguration.check(object)
        let json = object.withoutNameAndTimes
        let parsed = try await GatewayDatabaseConfiguration(
            checking: json, of: name, environment: environment)
        return try await withName(name) {
            guard database(name) == nil else { throw Self.duplicate(name) }
            if let fault = fault(of: name) { throw fault }
            let folder = NewDatabaseFolder(folder(name))
            try folder.begin()
            let parts = try await DatabaseParts.open(
                name, folder: folder.path, configuration: json, environment: environment)
            let database = GatewayDatabase(opened: parts, environment: environment)
            try await database.storeGuest(of: parsed)
            try folder.finish()
            databases.withLock { $0[Name(name)] = database }
            return database
        }
    }

    /// `DELETE /{db}/`: ends its connections and feeds, and moves its folder to the deleted ones.
    ///
    /// - Returns: its present path.
    package func delete(_ name: String) async throws -> String {
        try await withName(name) {
            let database = databases.withLock { $0.removeValue(forKey: Name(name)) }
            guard database != nil || fault(of: name) != nil else {
                throw GatewayError.noSuchDatabase(name)
            }
            if DatabaseName.reserved.contains(Name(name)), let fault = fault(of: name) { throw fault }
            let deleted = DeletedDatabases(storage: path)
            let trash: String
            do {
                try await database?.closeToBeDeleted()
                trash = try deleted.take(name, now: environment.now())
            } catch {
                note("The database in \(folder(name)) cannot be deleted: \(error). Check who owns it", of: name)
                throw error
            }
            faults.withLock { _ = $0.removeValue(forKey: Name(name)) }
            environment.logger.notice(
                "A database was deleted; its folder was moved", metadata: ["db": "\(name)", "folder": "\(trash)"])
            forget(deleted, sparing: trash)
            return trash
        }
    }

    /// If a folder cannot be erased, the next deletion tries again.
    private func forget(_ deleted: DeletedDatabases, sparing trash: String) {
        do {
            for (folder, failure) in try deleted.forget(sparing: trash) {
                if let failure {
                    environment.logger.warning(
                        "A database deleted long ago cannot be erased",
                        metadata: ["folder": "\(folder)", "error": "\(failure)"])
                } else {
                    environment.logger.notice(
                        "A database deleted long ago was erased: there are newer ones",
                        metadata: ["folder": "\(folder)"])
                }
            }
        } catch {
            environment.logger.warning("Deleted databases cannot be listed", metadata: ["error": "\(error)"])
        }
    }

    /// Closes the files; feeds that wait are ended.
    package func close() async {
        let open = databases.withLock { databases in
            defer { databases.removeAll() }
            return Array(databases.values)
        }
        for database in open {
            do {
                try await database.close()
            } catch {
                environment.logger.warning(
                    "A database could not be closed", metadata: ["db": "\(database.name)", "error": "\(error)"])
            }
        }
    }

    // MARK: -

    private func folder(_ name: String) -> String { path + "/" + name }

    /// One creation or deletion of a name at a time.
    private func withName<Value>(_ name: String, body: () async throws -> Value) async throws -> Value {
        guard busy.withLock({ $0.insert(Name(name)).inserted }) else { throw Self.duplicate(name) }
        defer { busy.withLock { _ = $0.remove(Name(name)) } }
        return try await body()
    }

    private static func duplicate(_ name: String) -> GatewayError {
        GatewayError.duplicateDatabase(name)
    }
}
