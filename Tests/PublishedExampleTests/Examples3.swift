import Fieldbook
import Foundation

// What Couchbase prints for 3.0 (Objective-C) and 3.1 (C) of Data Sync using Sync Gateway, in Swift: the same calls with the
// same names. That this file compiles is the test.

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

    // 3.0, Examples 12 to 20
    static func replicate(config: ReplicatorConfiguration, collection: Collection) throws {
        let replicator = Replicator(config: config)
        let token = replicator.addChangeListener { change in
            print(change.status.activity, change.status.progress.completed, change.status.progress.total)
            if let error = change.status.error as NSError? { print(error.domain, error.code) }
        }
        let documents = replicator.addDocumentReplicationListener { replication in
            for document in replication.documents { print(document.scope, document.collection, document.flags) }
        }
        replicator.start(reset: true)
        let pending = try replicator.pendingDocumentIds(collection: collection)
        for id in pending where try replicator.isDocumentPending(id, collection: collection) { print(id) }
        token.remove()
        replicator.removeChangeListener(withToken: documents)
        if replicator.status.activity != .stopped { replicator.stop() }
    }

    // 3.0, Examples 21 to 23
    static func logs() {
        Database.log.console.level = .verbose
        Database.log.console.domains = [.replicator, .network]
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
