import FieldRecords
import FieldSync
import Fieldbook
import Foundation

// The code of the examples in docstrings, block by block: it compiles as printed there. A block is named for the file with its
// docstring. What the reader has before it is a parameter. DocstringTests compares the two.

// swift-format-ignore
enum DocstringExamples {
    // How a name is chosen that Foundation has, too; as the README says.
    typealias Expression = Fieldbook.Expression
    typealias Collection = Fieldbook.Collection

    static func databaseAsync1(database: Database, notes: Collection, note: MutableDocument) async throws {
        // Database+Async 1
        try await database.async.inBatch { try notes.save(document: note) }
        // End
    }

    static func databaseAsyncFiles1() async throws {
        // Database+AsyncFiles 1
        let database = try await Database.async.open(name: "journal")
        // End
        _ = database
    }

    static func collectionAsync1(notes: Collection) async throws {
        // Collection+Async 1
        if let note = try await notes.async.document(id: "first")?.toMutable() {
            try await notes.async.save(document: note.setInt(1, forKey: "read"))
        }
        // End
    }

    static func collectionReading1(collection: Collection) throws {
        // Collection+Reading 1
        var page = try collection.documentIDs(limit: 100)
        while let last = page.last {
            for id in page { print(id) }
            page = try collection.documentIDs(after: last, limit: 100)
        }
        // End
    }

    static func resultSetRows1(results: ResultSet) async throws {
        // ResultSet+Rows 1
        for try await row in results.rows { print(row.toJSON()) }
        // End
    }

    static func queryBuilder1(sites: Collection) {
        // QueryBuilder 1
        let query = QueryBuilder
            .select(SelectResult.expression(Meta.id), SelectResult.property("name"))
            .from(DataSource.collection(sites))
            .where(Expression.property("region").equalTo(Expression.string("north")))
            .orderBy(Ordering.property("name").ascending())
        // End
        _ = query
    }

    static func replicator1(inspections: Collection) {
        // Replicator 1
        let configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: inspections)],
            target: URLEndpoint(url: URL(string: "wss://sync.example.com/field")!))
        let replicator = Replicator(config: configuration)
        let token = replicator.addChangeListener { change in print(change.status.activity) }
        replicator.start()
        // End
        _ = token
    }

    static func replicatorListeners1(replicator: Replicator) async {
        // Replicator+Listeners 1
        for await change in replicator.statusChanges() {
            if change.status.activity == .stopped { break }
        }
        // End
    }

    static func syncService1(field: FieldDatabase, show: (ServiceEvent) -> Void) async throws {
        // SyncService 1
        let events = ServiceEventStream()
        let service = try SyncService(signIn: SignInSource(SyncEnvironment(field: field)), reporters: [events])
        // On one task, until service.control.stop() is called:
        let report = try await service.run()
        // On another:
        for await event in events.events { show(event) }
        // End
        _ = report
    }

    static func folderSync1(
        folder: FieldFolder, field: FieldDatabase, show: @escaping (SyncProgress) -> Void
    ) async throws {
        // FolderSync 1
        let sync = FolderSync(of: folder) { SignInSource(SyncEnvironment(field: field)) }
        let report = try await sync.run { progress in show(progress) }
        // End
        _ = report
    }
}
