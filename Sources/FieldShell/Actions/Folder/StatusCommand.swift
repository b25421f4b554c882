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
        let refused = try field.outbox.unsettled()
        return StatusReport(
            folder: session.folder.url.path, gateway: settings.gateway?.absoluteString, user: settings.user,
            isSealedByPassphrase: try FieldDatabase.needsPassphrase(session.folder), lock: try lock(of: field),
            counts: try RecordKind.allCases.map { kind in
                StatusReport.Count(
                    kind: kind,
                    count: kind == .form ? try field.listing.formCount() : Int(field.collection(of: kind).count),
                    waiting: try waiting.count(of: kind))
            },
            outbox: refused.count, quarantine: try field.database.quarantinedDocumentCount(),
            due: work.due, overdue: work.overdue, drafts: work.drafts,
            responses: try field.listing.responseCounts(of: settings.user),
            refusedResponses: refused.filter { $0.kind == .response }.count,
            conflicts: try OpenConflicts(session: session).all().count,
            returned: try ReturnedInspections(to: session.author().name, in: field).all(),
            sync: try session.syncStatus(), photos: settings.photos,
            absentPhotos: try field.absentPhotos.areKnown ? field.absentPhotos.count().files : nil)
    }

    private func lock(of field: FieldDatabase) throws -> StatusReport.Lock {
        switch try field.database.blobStorage().access {
        case .open: .open
        case .onRequest: .onRequest
        case .locked: .locked
        }
    }
}
