import AccessControl
import DocumentValues
import Foundation
import Logging
import SodiumCrypto

/// The values that are read from the file when a database is opened, before it is used.
struct DatabaseParts {
    let store: any GatewayStore
    let contexts: UserContextCache
    let sessionKey: [UInt8]
    let refusals: RefusalRecord
    let signIns: SignInRecord
    let status: DatabaseStatus

    static let fileName = "gateway.sqlite3"

    /// - Parameter configuration: of a new database; `nil` for an existing one.
    static func open(
        _ name: String, folder: String, configuration: JSONObject?, environment: DatabaseEnvironment
    ) async throws -> DatabaseParts {
        do {
            return try await read(name, folder: folder, configuration: configuration, environment: environment)
        } catch let error as JSONError where configuration == nil {
            throw GatewayError(unreadable: folder + "/" + fileName, error)
        } catch {
            guard let problem = StorageFailure(error), problem.kind != .fullDisk else { throw error }
            throw GatewayError(unusable: folder + "/" + fileName, problem)
        }
    }

    private static func read(
        _ name: String, folder: String, configuration: JSONObject?, environment: DatabaseEnvironment
    ) async throws -> DatabaseParts {
        let (logger, now) = (environment.logger, environment.now())
        try StagedAttachment.removeLeftovers(in: folder)
        let store = try environment.storage.open(
            folder + "/" + fileName, sharing: environment.shortage, logger: logger)
        if let configuration {
            let times = ConfigurationTimes(created: ConfigurationTimes.text(now), updated: ConfigurationTimes.text(now))
            try await store.write { transaction in
                try await transaction.properties.set(.sessionKey, to: SecureRandom.bytes(GatewayLimits.sessionKey))
                try await transaction.setConfiguration(
                    StoredConfiguration(json: configuration, number: 1, times: times))
            }
        }
        let (stored, key) = try await store.read { store in
            (try await store.configuration(), try await store.properties.bytes(.sessionKey))
        }
        guard let stored, let key else {
            throw GatewayError.incompleteDatabase(in: folder)
        }
        let parsed = try GatewayDatabaseConfiguration(stored.json)
        let setup = try await store.write(mayUseReserve: true) { transaction in
            try await DatabaseSetup.make(parsed, transaction)
        }
        try RestoredMark(folder: folder).remove()
        return DatabaseParts(
            store: store, contexts: UserContextCache(following: store.commits), sessionKey: key,
            refusals: try RefusalRecord(folder: folder, logger: logger),
            signIns: try SignInRecord(folder: folder, logger: logger),
            status: DatabaseStatus(
                of: name,
                DatabaseStatus.Values(
                    setup: setup, state: parsed.startsOffline ? .offline : .online,
                    configurationVersion: stored.version, times: stored.times)))
    }
}

extension GatewayError {
    /// The error for a database whose own values are damaged.
    fileprivate init(unreadable file: String, _ problem: JSONError) {
        self = .damagedConfiguration(in: file, problem: "\(problem)")
    }

    /// The error for a database that cannot be opened, with its file and what to do.
    fileprivate init(unusable file: String, _ problem: StorageFailure) {
        let advice =
            switch problem.kind {
            case .damaged: "Restore a backup: fieldbook-gateway restore --replace"
            case .inaccessible: "Check who owns it and its folder"
            case .fullDisk, .ioError, .interrupted, .other: "See the log, and whether the disk is full"
            }
        self = .unusableDatabase(file, problem: "\(problem)", advice: advice)
    }
}

extension DatabaseSetup {
    /// Gives every collection of the configuration its number; those that are not in it any more keep theirs.
    static func make(_ configuration: GatewayDatabaseConfiguration, _ transaction: any StoreTransaction)
        async throws -> DatabaseSetup
    {
        var collections: [Collection] = []
        for collection in configuration.collections {
            collections.append(
                Collection(
                    number: try await transaction.number(of: collection.name), name: collection.name,
                    functionText: collection.syncFunction))
        }
        return DatabaseSetup(configuration, collections: collections)
    }
}
