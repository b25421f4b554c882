import Fieldbook
import Foundation

// The code of the articles in Sources/Fieldbook/Fieldbook.docc, block by block: it compiles as printed there. What the blocks
// have in common is a parameter. ArticleTests compares the two.

// swift-format-ignore
enum ArticleExamples {
    static func gettingStarted1(folder: String) throws {
        // GettingStarted 1
        var configuration = DatabaseConfiguration()
        configuration.directory = folder
        let database = try Database(name: "journal", config: configuration)
        let visits = try database.createCollection(name: "visits")
        // End
        _ = visits
    }

    static func gettingStarted2(visits: Collection) throws {
        // GettingStarted 2
        let visit = MutableDocument(id: "visit-1")
        visit.setString("Old mill", forKey: "site")
        visit.setInt(87, forKey: "score")
        try visits.save(document: visit)

        if let stored = try visits.document(id: "visit-1") {
            print(stored.string(forKey: "site") ?? "", stored["score"].int)
        }
        // End
    }

    static func gettingStarted3(database: Database) throws {
        // GettingStarted 3
        try database.close()
        // End
    }

    static func saving1(visits: Collection) throws {
        // Saving 1
        guard let document = try visits.document(id: "visit-1")?.toMutable() else { return }
        document.setValue(["Ann", "Bo"], forKey: "present")
        try visits.save(document: document)
        // End
    }

    static func saving2(document: MutableDocument, visits: Collection) throws {
        // Saving 2
        if try !visits.save(document: document, concurrencyControl: .failOnConflict) {
            print("The document was changed in the meantime.")
        }

        let isSaved = try visits.save(document: document) { mine, theirs in
            guard let theirs else { return false }
            mine.setInt(max(mine.int(forKey: "score"), theirs.int(forKey: "score")), forKey: "score")
            return true
        }
        // End
        _ = isSaved
    }

    static func saving3(database: Database, visits: Collection) throws {
        // Saving 3
        try database.inBatch {
            for number in 1...1_000 {
                try visits.save(document: MutableDocument(id: "visit-\(number)").setInt(number, forKey: "number"))
            }
        }
        // End
    }

    static func saving4() {
        // Saving 4
        var configuration = DatabaseConfiguration()
        configuration.durability = .deferred
        // End
        _ = configuration
    }

    static func saving5(database: Database, visits: Collection) async throws {
        // Saving 5
        if let visit = try await visits.async.document(id: "visit-1")?.toMutable() {
            try await visits.async.save(document: visit.setInt(90, forKey: "score"))
        }
        let count = try await database.async.inBatch {
            try visits.save(document: MutableDocument(id: "visit-2"))
            return visits.count
        }
        // End
        _ = count
    }

    static func saving6(visits: Collection) throws {
        // Saving 6
        final class Visit: Codable {
            @DocumentID var id: String?
            var site: String
            var score: Int

            init(site: String, score: Int) { (self.site, self.score) = (site, score) }
        }

        let mill = Visit(site: "Old mill", score: 87)
        try visits.save(from: mill)
        let same = try visits.document(id: mill.id ?? "", as: Visit.self)
        // End
        _ = same
    }

    static func saving7(visits: Collection) throws {
        // Saving 7
        try visits.setDocumentExpiration(id: "visit-1", expiration: Date(timeIntervalSinceNow: 3_600))
        // End
    }

    static func saving8(visits: Collection) throws {
        // Saving 8
        for id in try visits.documentIDs() { print(id, try visits.revisionHistory(id: id)) }
        let token = visits.addChangeListener { change in print(change.documentIDs) }
        // End
        token.remove()
    }

    static func attachments1(photo: URL, visits: Collection) throws {
        // Attachments 1
        let visit = MutableDocument(id: "visit-1")
        visit.setBlob(try Blob(contentType: "image/jpeg", fileURL: photo), forKey: "photo")
        try visits.save(document: visit)

        let data = try visits.document(id: "visit-1")?.blob(forKey: "photo")?.content
        // End
        _ = data
    }

    static func attachments2(passphrase: String) throws {
        // Attachments 2
        var configuration = DatabaseConfiguration()
        configuration.sealAttachments(with: .passphrase(passphrase))
        let database = try Database(name: "journal", config: configuration)
        // End
        _ = database
    }

    static func attachments3(database: Database, folder: String) throws {
        // Attachments 3
        if try Database.attachmentProtection(ofFolder: folder) == .passphrase { print("It needs a passphrase.") }
        try database.changeAttachmentKey(to: .keyFile)
        // End
    }

    static func encryption1(password: String) throws {
        // Encryption 1
        var configuration = DatabaseConfiguration()
        configuration.encryptionKey = .password(password)
        let database = try Database(name: "journal", config: configuration)
        // End
        _ = database
    }

    static func encryption2(database: Database, bytes: Data) throws {
        // Encryption 2
        try database.changeEncryptionKey(.key(bytes))
        try database.changeEncryptionKey(nil)
        // End
    }

    static func encryption3(path: String, configuration: DatabaseConfiguration) throws {
        // Encryption 3
        try Database.copy(fromPath: path, toDatabase: "copy", withConfig: configuration)
        // End
    }

    static func replicating1(visits: Collection, gateway: URL, password: String) throws {
        // Replicating 1
        var part = CollectionConfiguration(collection: visits)
        part.pushFilter = { document, flags in flags.contains(.deleted) || document.boolean(forKey: "ready") }

        var configuration = ReplicatorConfiguration(collections: [part], target: URLEndpoint(url: gateway))
        configuration.authenticator = BasicAuthenticator(username: "ann", password: password)
        configuration.continuous = true
        try configuration.validate()
        // End
    }

    static func replicating2(configuration: ReplicatorConfiguration) {
        // Replicating 2
        let replicator = Replicator(config: configuration)
        let token = replicator.addChangeListener { change in
            print(change.status.activity, change.status.progress.completed, change.status.progress.total)
            if let error = change.status.error { print(error) }
        }
        replicator.start()
        // End
        token.remove()
    }

    static func replicating3(replicator: Replicator) async throws {
        // Replicating 3
        let replications = replicator.documentReplications()
        let watching = Task {
            for await replication in replications {
                for document in replication.documents {
                    print(replication.isPush ? "sent" : "received", document.id, document.error.map { "\($0)" } ?? "")
                }
            }
        }
        try await replicator.run()
        watching.cancel()
        // End
    }

    static func replicating4() {
        // Replicating 4
        @MainActor final class SyncModel {
            private(set) var activity = Replicator.ActivityLevel.stopped
            private var watching: Task<Void, Never>?

            func watch(_ replicator: Replicator) {
                let changes = replicator.statusChanges()
                watching = Task {
                    for await change in changes { activity = change.status.activity }
                }
            }

            func end() { watching?.cancel() }
        }
        // End
    }

    static func replicating5(configuration: inout ReplicatorConfiguration, certificate: URL) throws {
        // Replicating 5
        configuration.pinnedServerCertificate = try Certificate(contentsOf: certificate)
        // End
    }

    static func conflicts1(visits: Collection) {
        // Conflicts 1
        final class HigherScore: ConflictResolverProtocol {
            func resolve(conflict: Conflict) -> Document? {
                guard let local = conflict.localDocument, let remote = conflict.remoteDocument else {
                    // One side has deleted it; the other has gone on with it.
                    return conflict.localDocument ?? conflict.remoteDocument
                }
                return local.int(forKey: "score") > remote.int(forKey: "score") ? local : remote
            }
        }

        var part = CollectionConfiguration(collection: visits)
        part.conflictResolver = HigherScore()
        // End
        _ = part
    }

    static func accessAndPurge1(replicator: Replicator) {
        // AccessAndPurge 1
        let token = replicator.addDocumentReplicationListener { replication in
            for document in replication.documents where document.flags.contains(.accessRemoved) {
                print("No access any more:", document.id)
            }
        }
        // End
        token.remove()
    }

    static func accessAndPurge2(configuration: inout ReplicatorConfiguration) {
        // AccessAndPurge 2
        configuration.enableAutoPurge = false
        // End
    }

    static func outboxAndQuarantine1(database: Database) throws {
        // OutboxAndQuarantine 1
        for push in try database.rejectedPushes() {
            print(push.collectionName, push.documentID, push.code, push.reason, push.firstRejectedAt)
        }
        // End
    }

    static func outboxAndQuarantine2(visits: Collection) throws {
        // OutboxAndQuarantine 2
        try visits.offerAgain(id: "visit-1")
        _ = try visits.revert(id: "visit-1")
        // End
    }

    static func outboxAndQuarantine3(database: Database) throws {
        // OutboxAndQuarantine 3
        for kept in try database.quarantinedDocuments() {
            print(kept.documentID, kept.reason, kept.toJSON())
            try database.restoreQuarantinedDocument(kept.id)
        }
        // End
    }

    static func outboxAndQuarantine4(database: Database) async {
        // OutboxAndQuarantine 4
        for await pushes in database.rejectedPushChanges() { print("\(pushes.count) refused") }
        for await kept in database.quarantineChanges() { print("\(kept.count) in quarantine") }
        // End
    }

    static func logging1() {
        // Logging 1
        LogSinks.console = ConsoleLogSink(level: .verbose, domains: [.replicator, .network])
        // End
    }

    static func logging2(folder: String) {
        // Logging 2
        LogSinks.file = FileLogSink(level: .info, directory: folder, usePlainText: true, maxKeptFiles: 4, maxFileSize: 1_000_000)
        // End
    }

    static func logging3() {
        // Logging 3
        struct Forward: LogSinkProtocol {
            func writeLog(level: LogLevel, domain: LogDomain, message: String) { print(level, domain, message) }
        }

        LogSinks.custom = CustomLogSink(level: .info, logSink: Forward())
        // End
    }

    static func querying1(database: Database) throws {
        // Querying 1
        let query = try database.createQuery(
            "SELECT META().id, site, score FROM visits WHERE score >= $least ORDER BY score DESC LIMIT 10")
        query.parameters = Parameters().setInt(50, forName: "least")
        for row in try query.execute() {
            print(row.string(forKey: "id") ?? "", row.string(forKey: "site") ?? "", row.int(forKey: "score"))
        }
        // End
    }

    static func querying2(query: Query) throws {
        // Querying 2
        let rows = try query.execute()
        for row in rows { print(row.toJSON()) }
        if let error = rows.error { throw error }
        // End
    }

    static func querying3(database: Database) throws {
        // Querying 3
        struct Visit: Codable {
            let site: String
            let score: Int
        }

        let visits = try database.createQuery("SELECT site, score FROM visits").execute().data(as: Visit.self)
        // End
        _ = visits
    }

    static func querying4(visits: Collection, query: Query) throws {
        // Querying 4
        try visits.createIndex(withName: "scores", config: ValueIndexConfiguration(["score"]))
        try visits.createIndex(
            withName: "open", config: ValueIndexConfiguration(["site"], where: "closed IS NOT VALUED"))
        try visits.createIndex(
            withName: "findings", config: ArrayIndexConfiguration(path: "findings", expressions: ["severity"]))
        print(try query.explain())
        // End
    }

    static func querying5(visits: Collection, database: Database) throws {
        // Querying 5
        try visits.createIndex(
            withName: "notes",
            config: FullTextIndexConfiguration(["site", "notes"], ignoreAccents: true, language: "en"))
        let search = try database.createQuery(
            "SELECT META().id FROM visits WHERE MATCH(notes, $typed) ORDER BY RANK(notes) DESC")
        search.parameters = Parameters().setString("leaking NOT (valve OR \"pump house\")", forName: "typed")
        // End
        _ = search
    }

    static func querying6(visits: Collection) throws {
        // Querying 6
        typealias Expression = Fieldbook.Expression

        let built = QueryBuilder
            .select(SelectResult.expression(Meta.id), SelectResult.property("score"))
            .from(DataSource.collection(visits))
            .where(Expression.property("score").greaterThan(Expression.int(50)))
            .orderBy(Ordering.property("score").descending())
        print(try built.execute().allResults().count)
        // End
    }

    static func querying7(query: Query) async throws {
        // Querying 7
        for await change in query.changes() {
            if let error = change.error { throw error }
            print(change.results?.allResults().count ?? 0)
        }
        // End
    }

    static func querying8(query: Query) async throws {
        // Querying 8
        let results = try await query.async.execute()
        for try await row in results.rows {
            print(row.string(forKey: "site") ?? "")
        }
        // End
    }

    static func indexes1(visits: Collection, database: Database) throws {
        // Indexes 1
        try visits.createIndex(withName: "byRegion", config: ValueIndexConfiguration(["region", "score"]))
        let query = try database.createQuery(
            "SELECT META().id FROM visits WHERE region = 'north' AND score > 50 ORDER BY score")
        print(try query.explain())
        // End
    }
}
