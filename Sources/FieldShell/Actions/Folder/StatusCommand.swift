import DocumentStore
import DocumentValues
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
        return StatusReport(
            folder: session.folder.url.path, gateway: settings.gateway?.absoluteString, user: settings.user,
            isSealedByPassphrase: try FieldDatabase.needsPassphrase(session.folder),
            counts: try RecordKind.allCases.map { kind in
                StatusReport.Count(
                    kind: kind, count: Int(field.collection(of: kind).count), waiting: try waiting.count(of: kind))
            },
            outbox: try field.outbox.unsettled().count, quarantine: try field.database.quarantinedDocumentCount(),
            drafts: try field.listing.unapprovedInspections().filter {
                $0.status == .draft && $0.isToBeDone(by: settings.user)
            }.count,
            conflicts: try OpenConflicts(session: session).all().count,
            returned: try ReturnedInspections(to: session.author().name, in: field).all(),
            sync: try session.syncStatus())
    }
}
