import FieldbookClassic
import Foundation

// The examples that Couchbase prints for Swift 2.8 (Data Sync using Sync Gateway), as functions around the printed lines.
// That this file compiles is the test; what needs a gateway is called by nobody.
//
// Slips of the document, which no version of the API satisfies, are left out or mended, each where it was:
// - Example 1 prints `( /* define resolver function */)` instead of a resolver.
// - Example 4 names a `targetDatabase` that is nowhere declared, and a property `type` (it is `replicatorType`).
// - Example 9 closes one brace too many.
// - Example 12 calls `activity.toString()`, mixes `thisid` and `thisId`, and leaves out `try` before two calls that throw.
// - Example 13 passes an optional token to `removeChangeListener(withToken:)`.
// - The prose below the table of states reads `status.completed` and `status.total` (they are in `status.progress`).

enum Examples28 {
    final class LocalWins: ConflictResolverProtocol {
        func resolve(conflict: Conflict) -> Document? { conflict.localDocument }
    }

    // Example 1
    static func configuration(thisDB: Database, thisCert: SecCertificate) -> Replicator {
        let tgtUrl = URL(string: "wss://10.1.1.12:8092/travel-sample")!
        let targetEndpoint = URLEndpoint(url: tgtUrl)
        let thisConfig = ReplicatorConfiguration(database: thisDB, target: targetEndpoint)
        thisConfig.replicatorType = .pushAndPull
        thisConfig.continuous = true
        thisConfig.acceptOnlySelfSignedServerCertificate = false
        thisConfig.pinnedServerCertificate = thisCert
        let thisAuthenticator = BasicAuthenticator(username: "Our Username", password: "Our PasswordValue")
        thisConfig.authenticator = thisAuthenticator
        thisConfig.conflictResolver = LocalWins()
        let thisReplicator = Replicator(config: thisConfig)
        thisReplicator.start()
        return thisReplicator
    }

    // Example 2
    static func target(actDb: Database?) -> ReplicatorConfiguration {
        let tgtUrl = URL(string: "wss://10.1.1.12:8092/travel-sample")!
        let targetEndpoint = URLEndpoint(url: tgtUrl)
        var config = ReplicatorConfiguration(database: actDb!, target: targetEndpoint)
        // Printed as `var`: a warning for an object, unless it is passed on as `inout`.
        syncMode(config: &config)
        return config
    }

    // Example 3
    static func syncMode(config: inout ReplicatorConfiguration) {
        config.replicatorType = .pushAndPull
        // Configure Sync Mode
        config.continuous = true
    }

    // Example 4
    static func heartbeat(database: Database, target: URLEndpoint) -> ReplicatorConfiguration {
        let config = ReplicatorConfiguration(database: database, target: target)
        config.replicatorType = .pushAndPull
        config.continuous = true
        config.heartbeat = 60
        return config
    }

    // Example 5
    static func selfSigned(config: ReplicatorConfiguration) { config.acceptOnlySelfSignedServerCertificate = true }

    static func authorities(config: ReplicatorConfiguration) { config.acceptOnlySelfSignedServerCertificate = false }

    static func pinned(config: ReplicatorConfiguration) throws {
        let certURL = Bundle.main.url(forResource: "cert", withExtension: "cer")!
        let data = try Data(contentsOf: certURL)
        let certificate = SecCertificateCreateWithData(nil, data as CFData)
        config.pinnedServerCertificate = certificate
    }

    static func pinnedFromObject(config: ReplicatorConfiguration) {
        if let pathToCert = Bundle.main.path(forResource: "cert", ofType: "cer"),
            let localCertificate = NSData(contentsOfFile: pathToCert)
        {
            config.pinnedServerCertificate = SecCertificateCreateWithData(nil, localCertificate)
        }
    }

    // Basic authentication
    static func basic(database: Database) -> Replicator {
        let url = URL(string: "ws://localhost:4984/mydatabase")!
        let target = URLEndpoint(url: url)
        let config = ReplicatorConfiguration(database: database, target: target)
        config.authenticator = BasicAuthenticator(username: "john", password: "pass")
        let replicator = Replicator(config: config)
        replicator.start()
        return replicator
    }

    // Session authentication
    static func session(database: Database) -> Replicator {
        let url = URL(string: "ws://localhost:4984/mydatabase")!
        let target = URLEndpoint(url: url)
        let config = ReplicatorConfiguration(database: database, target: target)
        config.authenticator = SessionAuthenticator(sessionID: "904ac010862f37c8dd99015a33ab5a3565fd8447")
        let replicator = Replicator(config: config)
        replicator.start()
        return replicator
    }

    // Example 6
    static func headers(database: Database, target: URLEndpoint) -> ReplicatorConfiguration {
        let config = ReplicatorConfiguration(database: database, target: target)
        config.headers = ["CustomHeaderName": "Value"]
        return config
    }

    // Push filter
    static func pushFilter(database: Database, target: URLEndpoint) -> Replicator {
        let config = ReplicatorConfiguration(database: database, target: target)
        config.pushFilter = { (document, flags) in
            if document.string(forKey: "type") == "draft" {
                return false
            }
            return true
        }
        let replicator = Replicator(config: config)
        replicator.start()
        return replicator
    }

    // Pull filter
    static func pullFilter(database: Database, target: URLEndpoint) -> Replicator {
        let config = ReplicatorConfiguration(database: database, target: target)
        config.pullFilter = { (document, flags) in
            if flags.contains(.deleted) {
                return false
            }
            return true
        }
        let replicator = Replicator(config: config)
        replicator.start()
        return replicator
    }

    // Examples 7 and 8
    static func start(config: ReplicatorConfiguration, resetCheckpointRequired_Example: Bool) -> Replicator {
        let replicator = Replicator(config: config)
        if resetCheckpointRequired_Example {
            replicator.resetCheckpoint()
        }
        replicator.start()
        return replicator
    }

    // Example 9
    static func changes(replicator: Replicator) -> ListenerToken {
        replicator.addChangeListener { (change) in
            if change.status.activity == .stopped {
                print("Replication stopped")
            }
        }
    }

    // Examples 10 and 11
    @available(*, deprecated)
    static func documents(replicator: Replicator) {
        let token = replicator.addDocumentReplicationListener { (replication) in
            print("Replication type :: \(replication.isPush ? "Push" : "Pull")")
            for document in replication.documents {
                if document.error == nil {
                    print("Doc ID :: \(document.id)")
                    if document.flags.contains(.deleted) {
                        print("Successfully replicated a deleted document")
                    }
                } else {
                    print("Error :: \(document.error!)")
                }
            }
        }
        replicator.start()
        replicator.removeChangeListener(withToken: token)
    }

    // Example 12
    @available(*, deprecated)
    static func pending(database: Database, url: URL) throws {
        let config = ReplicatorConfiguration(database: database, target: URLEndpoint(url: url))
        config.replicatorType = .push
        let replicator = Replicator(config: config)
        let pendingDocIds = try replicator.pendingDocumentIds()
        guard !pendingDocIds.isEmpty else { return }
        let thisId = pendingDocIds.first!
        _ = replicator.addChangeListener { (change) in
            print("Replicator activity level is \(change.status.activity)")
            if (try? replicator.isDocumentPending(thisId)) == false { print("Doc ID \(thisId) now pushed") }
        }
        replicator.start()
    }

    // Example 13
    @available(*, deprecated)
    static func stop(replicator: Replicator, thisToken: ListenerToken) {
        replicator.removeChangeListener(withToken: thisToken)
        replicator.stop()
    }

    // Example 14
    static func errors(replicator: Replicator) {
        _ = replicator.addChangeListener { (change) in
            if let error = change.status.error as NSError? {
                print("Error code :: \(error.code)")
            }
        }
    }

    // Example 15
    @available(*, deprecated)
    static func logs() {
        Database.setLogLevel(.verbose, domain: .replicator)
        Database.setLogLevel(.verbose, domain: .network)
    }
}
