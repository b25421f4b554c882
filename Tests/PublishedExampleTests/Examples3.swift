import Fieldbook
import Foundation

// What Couchbase prints for 3.0 (Objective-C) and 3.1 (C) of Data Sync using Sync Gateway, in Swift: the same calls with the
// same names. That this file compiles is the test. The lines themselves are of other languages, which no Swift compiles, so
// a function here is what examples do with one thing, and not the text of one example.

// How a name is chosen that Swift or Foundation has, too; as the README says.
typealias Collection = Fieldbook.Collection

@available(*, deprecated)
enum Examples3 {
    // 3.0, Examples 1, 2, 5, 7, 10, 11
    static func configuration(database: Database, certificate: Certificate) -> ReplicatorConfiguration {
        let target = URLEndpoint(url: URL(string: "wss://10.1.1.12:8092/travel-sample")!)
        var config = ReplicatorConfiguration(database: database, target: target)
        config.replicatorType = .pushAndPull
        config.continuous = true
        config.enableAutoPurge = false
        config.acceptOnlySelfSignedServerCertificate = true
        config.pinnedServerCertificate = certificate
        config.authenticator = BasicAuthenticator(username: "Our Username", password: "Our PasswordValue")
        config.heartbeat = 120
        config.maxAttempts = 20
        config.maxAttemptWaitTime = 600
        config.headers = ["CustomHeaderName": "Value"]
        config.networkInterface = "en0"
        config.channels = ["public"]
        config.documentIDs = ["a", "b"]
        return config
    }

    // 3.0, Examples 8, 9
    static func authenticators(config: inout ReplicatorConfiguration) {
        config.authenticator = BasicAuthenticator(username: "username", password: "passwd")
        config.authenticator = SessionAuthenticator(sessionID: "904ac010862f37c8dd99015a33ab5a3565fd8447")
        config.authenticator = SessionAuthenticator(sessionID: "904ac010", cookieName: "Name")
    }

    // 3.0, Examples 12 to 20, and the same of 3.1: beginning, also from the first document on
    static func start(config: ReplicatorConfiguration, isFirst: Bool) -> Replicator {
        let replicator = Replicator(config: config)
        if isFirst { replicator.start(reset: true) } else { replicator.start() }
        return replicator
    }

    // The state, and how far it has come
    static func states(replicator: Replicator) -> ListenerToken {
        print(replicator.status.activity, replicator.status.progress.completed)
        return replicator.addChangeListener { change in
            print(change.status.activity, change.status.progress.completed, change.status.progress.total)
            if change.status.activity == .stopped { print("stopped") }
        }
    }

    // What became of each document
    static func documents(replicator: Replicator) -> ListenerToken {
        replicator.addDocumentReplicationListener { replication in
            print(replication.isPush ? "push" : "pull")
            for document in replication.documents {
                print(document.id, document.scope, document.collection)
                if let error = document.error as NSError? { print(error.code) }
                if document.flags.contains(.deleted) || document.flags.contains(.accessRemoved) { print("gone") }
            }
        }
    }

    // Listeners that are not wanted any more
    static func listenNoMore(replicator: Replicator, states: ListenerToken, documents: ListenerToken) {
        states.remove()
        replicator.removeChangeListener(withToken: documents)
    }

    // What is still to be pushed
    static func pending(replicator: Replicator, collection: Collection) throws {
        let pending = try replicator.pendingDocumentIds(collection: collection)
        for id in pending where try replicator.isDocumentPending(id, collection: collection) { print(id) }
    }

    // The end
    static func stop(replicator: Replicator) {
        if replicator.status.activity != .stopped { replicator.stop() }
    }

    // Errors
    static func errors(replicator: Replicator) -> ListenerToken {
        replicator.addChangeListener { change in
            if let error = change.status.error as NSError? { print(error.domain, error.code) }
        }
    }

    // 3.1: how often a connection is looked after, and how often it is tried
    static func attempts(config: inout ReplicatorConfiguration) {
        config.heartbeat = 60
        config.maxAttempts = 20
        config.maxAttemptWaitTime = 600
    }

    // 3.1: a certificate that is pinned, from PEM
    static func pinned(config: inout ReplicatorConfiguration, pem: Data, file: URL) throws {
        config.pinnedServerCertificate = try Certificate(data: pem)
        config.pinnedServerCertificate = try Certificate(contentsOf: file)
    }

    // 3.1: a session whose cookie has a name of its own
    static func session(config: inout ReplicatorConfiguration) {
        config.authenticator = SessionAuthenticator(sessionID: "904ac010", cookieName: "SyncGatewaySession")
    }

    // 3.0, Examples 21 to 23, and the same of 3.1
    static func logs() {
        Database.log.console.level = .verbose
        Database.log.console.domains = [.replicator, .network]
        LogSinks.console = ConsoleLogSink(level: .verbose, domains: [.replicator, .network])
    }

    // 3.1, Examples 1 to 3, 9
    static func collections(database: Database, url: URL) throws -> ReplicatorConfiguration {
        let collection = try database.createCollection(name: "inspections", scope: "field")
        var part = CollectionConfiguration()
        part.channels = ["north"]
        part.pushFilter = { document, flags in !flags.contains(.deleted) && document.boolean(forKey: "done") }
        part.pullFilter = { document, _ in document.string(forKey: "type") != "draft" }
        part.conflictResolver = ConflictResolver.default
        var config = ReplicatorConfiguration(target: URLEndpoint(url: url))
        config.addCollection(collection, config: part)
        config.addCollections([try database.defaultCollection()])
        config.removeCollection(collection)
        return config
    }
}
