import AccessControl
import DocumentValues
import Logging
import Synchronization

/// The JavaScript functions in a collection's configuration.
package enum ConfiguredFunction: String, Sendable {
    case sync
    /// Only stored and shown: there are no imports here that it could filter.
    case importFilter = "import_filter"
}

/// The configuration of a database, and whether it serves clients.
extension GatewayDatabase {
    /// The configuration as `_config` shows it, and its version for `Etag` and `If-Match` (without quotation marks).
    ///
    /// - Parameter includesDefaults: with the values of settings that it does not have.
    package func configuration(includesDefaults: Bool = false) -> (json: JSONObject, version: String) {
        let status = status.current
        let configuration = status.setup.configuration
        let said = configuration.json.filter { configuration.json[$0]?.isNull == false }
        var json = includesDefaults ? configuration.defaults.merged(with: said) : configuration.json
        json["name"] = .string(name)
        json["updated_at"] = .string(status.times.updated)
        json["created_at"] = .string(status.times.created)
        return (json, status.configurationVersion)
    }

    /// Takes over a new configuration (the JSON of `PUT /{db}/`); with `merging` only the members it has.
    ///
    /// A merge that leaves out collections with documents is refused unless `removesCollections` allows it: a merge that
    /// names only a new collection would leave out all others. A merge that removes sync functions, such as one that names
    /// their collections with `{}`, is refused unless `removesFunctions` allows it. A whole configuration is accepted as
    /// it is, and the log names such collections.
    ///
    /// Connections and feeds are ended, so that their clients come back under the new rules. With `merging` the
    /// database stays offline or online unless `json` sets it.
    package func configure(
        _ json: [UInt8], merging: Bool, removesCollections: Bool = false, removesFunctions: Bool = false,
        ifMatch: String? = nil
    ) async throws -> String {
        let object = try GatewayDatabaseConfiguration.parse(json)
        try GatewayDatabaseConfiguration.check(object)
        // A whole configuration makes the database online, unless it says otherwise.
        let saysState = !merging || object["offline"].map { !$0.isNull } ?? false
        let old = status.current
        let lost = try await collectionsLost(by: object, merging: merging, from: old.setup)
        if merging, !removesCollections, !lost.isEmpty { throw Self.refusal(toLose: lost) }
        let version = try await configure(
            object, merging: merging, changesState: saysState, removesFunctions: !merging || removesFunctions,
            ifMatch: ifMatch, insteadOf: old)
        if !lost.isEmpty {
            let names = lost.joined(separator: ", ")
            environment.logger.warning(
                "Collections that hold documents, or have a sync function, are out of service",
                metadata: ["db": "\(name)", "collections": "\(names)"])
        }
        return version
    }

    /// The collections that a change leaves out, and that have documents or a sync function of their own: they are in use.
    private func collectionsLost(
        by change: JSONObject, merging: Bool, from setup: DatabaseSetup
    ) async throws -> [String] {
        let json = merging ? setup.configuration.json.mergedConfiguration(with: change) : change
        guard let scopes = json["scopes"]?.objectValue, !scopes.isEmpty else { return [] }
        let gone = setup.collections.values.filter { collection in
            let (scope, name) = (collection.name.scope, collection.name.name)
            // Another scope has its own refusal.
            return scopes[scope] != nil && scopes[scope]?["collections"]?[name] == nil
        }
        let held = try await store.read { store in
            var held: [DatabaseSetup.Collection] = []
            for collection in gone {
                var isMade = collection.functionText != nil
                if !isMade { isMade = try await !store.documents.isEmpty(collection: collection.number) }
                if isMade { held.append(collection) }
            }
            return held
        }
        return held.map { "\($0.name)" }.sorted()
    }

    private static func refusal(toLose collections: [String]) -> GatewayError {
        let names = collections.joined(separator: ", ")
        let advice =
            "Name them with all their settings, such as 'sync', or add ?remove_collections=true to take them out of "
            + "service; 'fieldbook-gateway collection add' leaves the others as they are"
        return .invalidConfiguration(
            "the change leaves out collections that hold documents or have a sync function: \(names). \(advice)")
    }

    private static func refusal(toTakeFunctionsOf collections: [String]) -> GatewayError {
        let names = collections.joined(separator: ", ")
        return .invalidConfiguration(
            "the change takes the sync functions of these collections away: \(names). Every user who signs in could write "
                + "everything there. Name them with their 'sync', or add ?remove_sync_functions=true")
    }

    /// - Parameter removesFunctions: whether sync functions may be taken away.
    private func configure(
        _ object: JSONObject, merging: Bool, changesState: Bool, removesFunctions: Bool, ifMatch: String?,
        insteadOf old: DatabaseStatus.Values
    ) async throws -> String {
        let current = old.setup.configuration.json
        let json = try wanted(object, merging: merging, ifMatch: ifMatch, insteadOf: old)
        let configuration = try await GatewayDatabaseConfiguration(checking: json, of: name, environment: environment)
        // The documents of another scope would be out of reach.
        guard json.scopeNames == current.scopeNames else {
            throw GatewayError.invalidConfiguration("cannot change scopes after database creation")
        }
        let unguarded = Self.functionsLost(from: old.setup.configuration, to: configuration)
        if !removesFunctions, !unguarded.isEmpty { throw Self.refusal(toTakeFunctionsOf: unguarded) }
        // The checks before took time, so the version is checked again.
        try status.beginConfiguring(old.configurationVersion)
        defer { status.endConfiguring() }
        // The guest may have been changed as a user since, so it is only stored if the request names the guest.
        let namesGuest = merging ? object["guest"] != nil : json["guest"] != current["guest"]
        let times = ConfigurationTimes(created: old.times.created, updated: ConfigurationTimes.text(now))
        let (setup, version) = try await putInForce(
            configuration, json: json, times: times, withGuest: namesGuest)
        // It is in force: later failures must not leave a client under the old one.
        status.update { status in
            status.setup = setup
            status.configurationVersion = version
            status.times = times
            if changesState { status.state = configuration.startsOffline ? .offline : .online }
        }
        // Cached views are for the former collections.
        contexts.removeAll()
        commits.interrupt()
        reportLostFunctions(of: unguarded)
        if namesGuest { reportOpenedDoor(by: configuration) }
        reportCutExpiry(in: object)
        return version
    }

    /// The whole configuration that a change makes of the present one.
    private func wanted(
        _ change: JSONObject, merging: Bool, ifMatch: String?, insteadOf old: DatabaseStatus.Values
    ) throws(GatewayError) -> JSONObject {
        guard old.state != .resyncing else { throw GatewayError.resyncRunsAlready }
        if let ifMatch, ifMatch != old.configurationVersion { throw GatewayError.otherConfiguration }
        if let given = change["name"]?.stringValue, !given.isExactly(name) {
            throw GatewayError.fixedDatabaseName
        }
        let current = old.setup.configuration.json
        let json = (merging ? current.mergedConfiguration(with: change) : change).withoutNameAndTimes
        if let bucket = json["bucket"], let known = current["bucket"], bucket != known { throw GatewayError.missing }
        return json
    }

    /// - Returns: the configuration in force, and its version.
    private func putInForce(
        _ configuration: GatewayDatabaseConfiguration, json: JSONObject, times: ConfigurationTimes, withGuest: Bool
    ) async throws -> (DatabaseSetup, String) {
        try await store.write(mayUseReserve: true) { transaction in
            let number = try await transaction.reader.properties.number(.configurationVersion)
            let stored = StoredConfiguration(json: json, number: number + 1, times: times)
            try await transaction.setConfiguration(stored)
            let known = try await transaction.reader.collections()
            let setup = try await DatabaseSetup.make(configuration, transaction)
            try await GrantTable(transaction, configured: setup.names)
                .begin(collections: setup.names.filter { known[$0.key] == nil })
            if withGuest {
                try await PrincipalService.store(guest: configuration.guest, setup: setup, transaction)
            }
            return (setup, stored.version)
        }
    }

    /// Sync Gateway accepts any time; here old attachments are not kept for ever.
    private func reportCutExpiry(in change: JSONObject) {
        let longest = GatewayLimits.longestReplacedAttachment
        guard let seconds = change["old_rev_expiry_seconds"]?.integerValue, seconds > longest else { return }
        environment.logger.warning(
            "Replaced attachments are kept for less than old_rev_expiry_seconds says",
            metadata: ["db": "\(name)", "seconds": "\(longest)"])
    }

    private func reportOpenedDoor(by configuration: GatewayDatabaseConfiguration) {
        guard configuration.guest?.isDisabled == false else { return }
        environment.logger.warning(
            "Clients that have not signed in are let in as GUEST from now on", metadata: ["db": "\(name)"])
    }

    /// The collections that stay, but lose their own function.
    private static func functionsLost(
        from old: GatewayDatabaseConfiguration, to new: GatewayDatabaseConfiguration
    ) -> [String] {
        let without = Set(new.collections.filter { $0.syncFunction == nil }.map(\.name))
        return old.collections.filter { $0.syncFunction != nil && without.contains($0.name) }.map { "\($0.name)" }
            .sorted()
    }

    /// Under the default function every user may write anything.
    private func reportLostFunctions(of collections: [String]) {
        guard !collections.isEmpty else { return }
        environment.logger.warning(
            "Collections have the default sync function from now on",
            metadata: ["db": "\(name)", "collections": "\(collections.joined(separator: ", "))"])
    }

    /// Of a new database, whose folder is not finished yet.
    func storeGuest(of configuration: GatewayDatabaseConfiguration) async throws {
        let setup = setup
        try await store.write { transaction in
            try await PrincipalService.store(guest: configuration.guest, setup: setup, transaction)
        }
    }

    package var loginRules: LoginRules { setup.configuration.loginRules }

    /// The text of a collection's function; empty if there is none, or the default one.
    package func text(of function: ConfiguredFunction, of collection: CollectionName) throws -> String {
        try status.checkConfigured(collection)
        let json = setup.configuration.json
        let entry = json["scopes"]?[collection.scope]?["collections"]?[collection.name]
        return (entry ?? .object(json))[function.rawValue]?.stringValue ?? ""
    }

    package func set(
        _ function: ConfiguredFunction, to text: String?, of collection: CollectionName, ifMatch: String? = nil
    ) async throws {
        try status.checkConfigured(collection)
        let old = status.current
        var json = old.setup.configuration.json
        let value = text.map { JSONValue.string($0) }
        if var scopes = json["scopes"]?.objectValue, var scope = scopes[collection.scope]?.objectValue,
            var collections = scope["collections"]?.objectValue
        {
            var entry = collections[collection.name]?.objectValue ?? [:]
            entry[function.rawValue] = value
            collections[collection.name] = .object(entry)
            scope["collections"] = .object(collections)
            scopes[collection.scope] = .object(scope)
            json["scopes"] = .object(scopes)
        } else {
            json[function.rawValue] = value
        }
        _ = try await configure(
            json, merging: false, changesState: false, removesFunctions: true, ifMatch: ifMatch, insteadOf: old)
    }

    /// Refuses all clients except administrators, and ends connections and feeds.
    package func goOffline() {
        status.update { if $0.state == .online { $0.state = .offline } }
        commits.interrupt()
    }

    /// Refused while a resync runs, which may take long: the database goes online after it.
    package func goOnline() throws(GatewayError) {
        let isOnline = status.update { status in
            if status.state == .offline { status.state = .online }
            return status.state == .online
        }
        guard isOnline else {
            throw GatewayError.resyncIsUnderWay
        }
    }

    /// As ``close()``, for a database that is to be deleted. A full disk does not prevent that: if its lists cannot be
    /// written, that is logged.
    func closeToBeDeleted() async throws {
        status.update { $0.state = .offline }
        commits.interrupt()
        try await store.close()
        for list in [refusals.end, signIns.end] {
            do { try list() } catch {
                environment.logger.notice(
                    "A list of a database that is being deleted could not be saved",
                    metadata: ["db": "\(name)", "error": "\(GatewayError(error))"])
            }
        }
    }

    /// Ends all connections and closes the file.
    func close() async throws {
        status.update { $0.state = .offline }
        commits.interrupt()
        // Each of them is done even if another one fails.
        var closing: Result<Void, any Error> = .success(())
        do { try await store.close() } catch { closing = .failure(error) }
        let ends: [Result<Void, any Error>] = [
            closing, Result { try refusals.end() }, Result { try signIns.end() },
        ]
        for end in ends { try end.get() }
    }
}

extension JSONObject {
    /// A configuration without the members that `_config` adds.
    var withoutNameAndTimes: JSONObject { filter { $0 != "name" && $0 != "updated_at" && $0 != "created_at" } }

    /// The scopes that a configuration names, or means.
    fileprivate var scopeNames: Set<Name> {
        let named = self["scopes"]?.objectValue?.keys ?? []
        return named.isEmpty ? [Name(CollectionName.default.scope)] : Set(named.map { Name($0) })
    }

    /// A scope is replaced as a whole: collections that are not named again are removed. A scope of another name is
    /// added, and is refused as the second one.
    fileprivate func mergedConfiguration(with other: JSONObject) -> JSONObject {
        var result = merged(with: other)
        // The scopes are not mentioned.
        if other["scopes"]?.isNull ?? false { result["scopes"] = self["scopes"] }
        if let scopes = other["scopes"]?.objectValue, !scopes.isEmpty {
            result["scopes"] = .object((self["scopes"]?.objectValue ?? [:]).setting(scopes))
        }
        return result
    }

    /// Members of `other` replace those of the same name; objects are merged member by member.
    fileprivate func merged(with other: JSONObject) -> JSONObject {
        var result = self
        for member in other {
            if let mine = result[member.key]?.objectValue, let theirs = member.value.objectValue {
                result[member.key] = .object(mine.merged(with: theirs))
            } else {
                result[member.key] = member.value
            }
        }
        return result
    }
}
