import AttachmentVault
import DocumentStore
import FieldModels
import Foundation

/// A worker's folder: the five collections of records, the attachments and the settings.
public final class FieldDatabase: Sendable {
    public let database: Database
    public let folder: FieldFolder

    /// What was changed on this laptop.
    public let journal: ChangeJournal

    /// What others have deleted, as it was here; exchanged with nobody.
    let deletions: Collection

    /// What others have changed in one's own records, as it was before; exchanged with nobody.
    let changedByOthers: Collection

    private let collections: [RecordKind: Collection]

    /// - Throws: `StoreError` where the folder cannot be opened, with what to do about it.
    public init(folder: FieldFolder, configuration: DatabaseConfiguration) throws {
        self.folder = folder
        let database = try Database.open(folder: folder.url.path, config: configuration)
        self.database = database
        journal = try ChangeJournal(in: database)
        deletions = try database.createCollection(name: "deletions", scope: "laptop")
        changedByOthers = try database.createCollection(name: "changedByOthers", scope: "laptop")
        collections = try RecordKind.allCases.reduce(into: [:]) { collections, kind in
            collections[kind] = try database.createCollection(name: kind.plural, scope: RecordKind.scope)
        }
        try makeIndexes()
    }

    public func close() throws { try database.close() }

    public func collection(of kind: RecordKind) -> Collection {
        guard let collection = collections[kind] else { preconditionFailure("every kind has its collection") }
        return collection
    }

    public func records<Record: FieldRecord>(_: Record.Type) -> RecordRepository<Record> {
        RecordRepository(
            collection: collection(of: Record.kind), journal: journal, inspections: collection(of: .inspection),
            changePages: changePages)
    }

    var changePages: ChangePages { ChangePages(collection: changedByOthers) }

    public var sites: RecordRepository<Site> { records(Site.self) }
    public var inspections: RecordRepository<Inspection> { records(Inspection.self) }
    public var findings: RecordRepository<Finding> { records(Finding.self) }
    public var forms: RecordRepository<FormDefinition> { records(FormDefinition.self) }
    public var assignments: RecordRepository<Assignment> { records(Assignment.self) }
}
