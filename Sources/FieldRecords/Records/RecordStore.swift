import DocumentStore
import DocumentValues
import FieldModels

/// The six collections of records of a worker's folder, and the notes of their changes. The services of a
/// ``FieldDatabase`` work on them.
public struct RecordStore: Sendable {
    public let database: Database

    /// The changes that were made on this laptop.
    public let journal: ChangeJournal

    /// The former values of changes by others in the user's own records; they are never exchanged.
    let changePages: ChangePages

    private let collections: [RecordKind: Collection]

    init(in database: Database) throws {
        self.database = database
        journal = try ChangeJournal(in: database)
        changePages = ChangePages(
            collection: try database.createCollection(name: "changedByOthers", scope: "laptop"))
        collections = try RecordKind.allCases.reduce(into: [:]) { collections, kind in
            collections[kind] = try database.createCollection(name: kind.plural, scope: RecordKind.scope)
        }
    }

    public func collection(of kind: RecordKind) -> Collection {
        guard let collection = collections[kind] else { preconditionFailure("every kind has its collection") }
        return collection
    }

    public func records<Record: FieldRecord>(_: Record.Type) -> RecordRepository<Record> {
        RecordRepository(
            collection: collection(of: Record.kind), journal: journal, inspections: collection(of: .inspection),
            changePages: changePages)
    }

    public var sites: RecordRepository<Site> { records(Site.self) }
    public var inspections: RecordRepository<Inspection> { records(Inspection.self) }
    public var findings: RecordRepository<Finding> { records(Finding.self) }
    public var forms: RecordRepository<FormDefinition> { records(FormDefinition.self) }
    public var assignments: RecordRepository<Assignment> { records(Assignment.self) }
    public var responses: RecordRepository<Response> { records(Response.self) }
}
