import DocumentStore
import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FieldSync
import Foundation

/// Shows the contents of the folder, the waiting records, and the state of the sync.
struct StatusCommand {
    let session: ShellSession

    func run() throws -> StatusReport {
        let settings = try session.settings()
        let field = try session.field()
        let waiting = try WaitingRecords(field: field, settings: settings)
        let work = try OpenWork(in: field, of: settings.user, on: session.environment.today())
        return StatusReport(
            folder: session.folder.url.path, gateway: settings.gateway?.absoluteString, user: settings.user,
            isSealedByPassphrase: try FieldDatabase.needsPassphrase(session.folder), lock: try lock(of: field),
            counts: try RecordKind.allCases.map { kind in
                StatusReport.Count(kind: kind, count: try count(of: kind, in: field), waiting: try waiting.count(of: kind))
            },
            outbox: try field.outbox.unsettled().count, quarantine: try field.database.quarantinedDocumentCount(),
            due: work.due, overdue: work.overdue, drafts: work.drafts,
            begunForms: try field.work.begunForms(of: settings.user),
            conflicts: try OpenConflicts(session: session).all().count,
            returned: try ReturnedInspections(to: session.author().name, in: field).all(),
            sync: try session.syncStatus(), photos: settings.photos,
            absentPhotos: try field.absentPhotos.isKnown ? field.absentPhotos.count().files : nil)
    }

    /// A form has a document of its own and one for each version.
    private func count(of kind: RecordKind, in field: FieldDatabase) throws -> Int {
        let all = Int(field.collection(of: kind).count)
        return kind == .form ? all - (try FormLibrary(in: field).versionCount()) : all
    }

    private func lock(of field: FieldDatabase) throws -> StatusReport.Lock {
        switch try field.database.blobStorage().access {
        case .open: .open
        case .onRequest: .onRequest
        case .locked: .locked
        }
    }
}
