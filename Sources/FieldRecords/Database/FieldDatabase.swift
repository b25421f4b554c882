import AttachmentVault
import DocumentStore
import FieldModels
import Foundation

/// A worker's folder: opened and closed here. Its records are in its ``RecordStore``, and its services work on them.
public final class FieldDatabase: Sendable {
    public let folder: FieldFolder
    public let store: RecordStore

    public let signIn: SignIn
    /// The remedy if the passphrase of the folder is forgotten.
    public let forgottenPassphrase: ForgottenPassphrase

    public let listing: RecordListing
    public let damaged: DamagedRecords
    /// Whose records the gateway keeps from others.
    public let owners: RecordOwnership
    /// The local changes that the gateway does not have.
    public let unsent: UnsentChanges
    public let photos: RecordPhotos

    public let districts: Districts
    public let moves: Moves
    public let conflicts: Conflicts

    public let submissions: Submissions
    public let assignedWork: AssignedWork
    public let lifeCycle: InspectionLifeCycle
    public let responseLifeCycle: ResponseLifeCycle
    /// The forms that inspections answer.
    public let inspectionForms: InspectionForms
    public let work: Work

    public let removals: Removals
    public let deletions: Deletions
    public let outbox: Outbox
    public let newIDs: NewIDs
    public let quarantine: Quarantine
    /// The changes by others in the user's own records.
    public let receivedChanges: ReceivedChanges
    public let history: History
    /// Lists that are kept under a name.
    public let views: SavedViews

    /// - Throws: `StoreError` where the folder cannot be opened, with what to do about it.
    public init(folder: FieldFolder, configuration: DatabaseConfiguration) throws {
        self.folder = folder
        let database = try Database.open(folder: folder.url.path, config: configuration)
        store = try RecordStore(in: database)
        let (journal, changePages) = (store.journal, store.changePages)
        let pages = DeletionPages(collection: try database.createCollection(name: "deletions", scope: "laptop"))
        signIn = SignIn(store: store, folder: folder)
        forgottenPassphrase = ForgottenPassphrase(store: store, journal: journal, folder: folder, signIn: signIn)
        listing = RecordListing(store: store)
        damaged = DamagedRecords(store: store, journal: journal)
        owners = RecordOwnership(store: store)
        unsent = UnsentChanges(store: store)
        assignedWork = AssignedWork(store: store)
        submissions = Submissions(store: store, assignedWork: assignedWork)
        photos = RecordPhotos(store: store, submissions: submissions)
        districts = Districts(store: store)
        moves = Moves(
            store: store, journal: journal, submissions: submissions, districts: districts, unsent: unsent)
        conflicts = Conflicts(store: store, journal: journal, changePages: changePages, moves: moves)
        removals = Removals(store: store, journal: journal, submissions: submissions)
        let reversal = ChangeReversal(store: store, journal: journal)
        deletions = Deletions(
            store: store, journal: journal, pages: pages, reversal: reversal, assignedWork: assignedWork,
            submissions: submissions, districts: districts)
        inspectionForms = InspectionForms(store: store, deletions: deletions)
        lifeCycle = InspectionLifeCycle(
            store: store, inspectionForms: inspectionForms, assignedWork: assignedWork)
        responseLifeCycle = ResponseLifeCycle(store: store)
        quarantine = Quarantine(store: store, journal: journal)
        outbox = Outbox(
            store: store, journal: journal, changePages: changePages, deletions: deletions, reversal: reversal,
            districts: districts)
        newIDs = NewIDs(store: store, changePages: changePages, reversal: reversal)
        receivedChanges = ReceivedChanges(
            store: store, journal: journal, changePages: changePages, deletions: deletions)
        views = SavedViews(store: store)
        history = History(
            store: store, journal: journal, reversal: reversal, assignedWork: assignedWork, deletions: deletions,
            receivedChanges: receivedChanges, outbox: outbox)
        work = Work(
            store: store, lifeCycle: lifeCycle, outbox: outbox, receivedChanges: receivedChanges, deletions: deletions)
        try store.makeIndexes()
    }

    public func close() throws { try database.close() }
}

/// The records themselves are asked for everywhere, and so without naming where they are.
extension FieldDatabase {
    public var database: Database { store.database }

    /// The changes that were made on this laptop.
    public var journal: ChangeJournal { store.journal }

    public var sites: RecordRepository<Site> { store.sites }
    public var inspections: RecordRepository<Inspection> { store.inspections }
    public var findings: RecordRepository<Finding> { store.findings }
    /// Those of schema 1.
    public var forms: RecordRepository<FormDefinition> { store.forms }
    public var formDocuments: RecordRepository<FormDocument> { store.formDocuments }
    public var assignments: RecordRepository<Assignment> { store.assignments }
    public var responses: RecordRepository<Response> { store.responses }

    /// Photos that are not on this laptop.
    public var absentPhotos: AbsentPhotos { AbsentPhotos(store: store) }

    public func collection(of kind: RecordKind) -> Collection { store.collection(of: kind) }

    public func records<Record: FieldRecord>(_ type: Record.Type) -> RecordRepository<Record> { store.records(type) }
}
